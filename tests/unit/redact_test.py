"""Secrets are taken out, what merely talks about them stays."""

import pytest

from memdir import redact

SECRETS = {
    "AWS key": ("aws configure set aws_access_key_id AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    "GitHub token": ("git clone https://x:ghp_abcdefghijklmnopqrstuvwx0123@github.com/a/b", "ghp_abcdefghijklmnop"),
    "API key": ("export ANTHROPIC_API_KEY=sk-ant-REDACTED", "sk-ant-REDACTED"),
    "bearer": ("curl -H 'Authorization: Bearer abc.def.ghi123' https://x", "abc.def.ghi123"),
    "password in a URL": ("psql postgres://app:s3cr3t-pw@db/x", "s3cr3t-pw"),
    "password option": ("mysql -u root --password hunter22 db", "hunter22"),
    "password assignment": ("PASSWORD=hunter22 ./run", "hunter22"),
    "JSON": ('{"api_key": "q9w8e7r6t5"}', "q9w8e7r6t5"),
    "web token": ("echo eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdef", "eyJzdWIiOiIxMjM0In0"),
    "private key": ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAAAA\n-----END RSA PRIVATE KEY-----", "MIIEow"),
    "cut-off private key": ("-----BEGIN PRIVATE KEY-----\nMIIEow\nAAAA", "AAAA"),
    "long random text": ("deploy --with Ab3dEf6hIj9kLmN0pQrS4uVwXyZ7aB2cDe5fGh8i", "Ab3dEf6hIj9kLmN0pQrS"),
}

HARMLESS = {
    "a variable": "curl -H 'Authorization: Bearer $TOKEN' https://x",
    "a command": "git push --force origin main",
    "talk of passwords": "echo 'never write the password into a file'",
    "a commit hash": "git show 0123456789abcdef0123456789abcdef01234567",
    "a placeholder": "PASSWORD=<your password> ./run",
    "a long path": "/home/dev/projects/customer-portal/packages/frontend/src/components/Button2.tsx",
    "Chinese": "echo 密码不要写进文件",
}


@pytest.mark.parametrize("case", SECRETS)
def test_a_secret_is_taken_out(case):
    text, secret = SECRETS[case]
    assert secret not in redact.secrets(text)
    assert redact.MARK in redact.secrets(text)


@pytest.mark.parametrize("case", HARMLESS)
def test_other_text_stays(case):
    assert redact.secrets(HARMLESS[case]) == HARMLESS[case]


def test_long_text_is_no_trouble():
    assert len(redact.secrets("pass" * 50_000)) == 200_000
