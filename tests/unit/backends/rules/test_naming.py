"""The singular of a collection's name, or none where it is not sure."""

from __future__ import annotations

import pytest

from burnish.backends.rules.naming import singular

REGULAR = """
    users:user rows:row prices:price names:name files:file keys:key waves:wave values:value photos:photo
    buses:bus statuses:status viruses:virus bonuses:bonus classes:class addresses:address processes:process
    houses:house clauses:clause cases:case databases:database responses:response courses:course roses:rose
    phrases:phrase promises:promise lenses:lens aliases:alias gases:gas pulses:pulse
    boxes:box indexes:index sizes:size prizes:prize quizzes:quiz caches:cache batches:batch matches:match
    hashes:hash dishes:dish cities:city queries:query movies:movie ties:tie
    children:child people:person women:woman indices:index vertices:vertex axes:axis leaves:leaf heroes:hero
    open_orders:open_order ship_statuses:ship_status user_list:user users_list:user statuses_list:status
"""
NONE = "news series species data lens status bus gas glasses clothes bases does chaos physics focuses_ess news_list"


@pytest.mark.parametrize("pair", REGULAR.split())
def test_singular(pair: str) -> None:
    plural, one = pair.split(":")
    assert singular(plural) == one


@pytest.mark.parametrize("name", NONE.split())
def test_no_singular(name: str) -> None:
    assert singular(name) is None
