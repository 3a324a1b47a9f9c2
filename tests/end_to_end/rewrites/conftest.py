"""What lies here is the material of test_verify.py, not tests of Burnish."""

collect_ignore_glob = ["*"]
