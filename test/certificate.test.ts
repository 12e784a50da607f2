import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, withTemporaryDirectory } from './cli.ts';
import { runMain } from './run-main.ts';

describe('certify and verify', () => {
  it('sign what evidence shows, and make it again', async () => {
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      writeFileSync(at('key'), secret);
      writeFileSync(at('pub'), publicKey.export({ type: 'spki', format: 'pem' }).toString());
      const cipher = { cipher: 'aes-256-cbc', passphrase: 'p' };
      writeFileSync(at('encrypted'), privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher }));
      writeFileSync(at('openssh'), secret.replaceAll(' PRIVATE', ' OPENSSH PRIVATE'));
      writeFileSync(at('two'), secret.repeat(2));
      writeFileSync(at('der'), Buffer.concat([privateKey.export({ type: 'pkcs8', format: 'der' }), Buffer.of(0xff)]));
      await runMain(['self-test', '--suite', 'discovery', '--evidence', at('evidence')]);

      const outputs = ['--output', at('bundle'), '--badge', at('badge.svg'), '--endpoint', at('badge.json')];
      const certified = await runMain(['certify', at('evidence'), '--key', at('key'), ...outputs]);
      expect(certified).toMatchObject({ exitCode: 0, stderr: '' });
      expect(certified.stdout).toContain(': conformant in discovery, expires ');
      expect(readFileSync(at('badge.svg'), 'utf8')).toContain('openwop: conformant in discovery<');
      expect(readFileSync(at('badge.json'), 'utf8')).toContain('"message":"conformant in discovery"');
      expect(readFileSync(at('bundle'), 'utf8')).not.toContain('PRIVATE');

      const whole = await runMain(['verify', at('bundle'), at('evidence'), '--public-key', at('pub')]);
      expect(whole.stdout).toMatch(/^conformant in discovery: http/u);
      expect(whole.stdout).toContain('holds: the evidence shows the same again: 8 checks\n');
      expect(whole.stdout).toContain('not known: who ran the tests');
      expect(whole.stdout).toMatch(/\nverified \(exit code 0\)\n$/u);
      expect(whole.exitCode).toBe(0);
      const alone = await runMain(['verify', at('bundle')]);
      expect(alone.stdout).toContain('not known: it is signed with the key');
      expect(alone.stdout).toMatch(/^claimed: conformant in discovery: http/u);
      expect(alone.exitCode).toBe(3);

      const printed = await runMain(['certify', at('evidence'), '--key', at('key'), '--output', '-']);
      expect(printed.stderr).toContain('-: conformant in discovery, expires ');
      expect(JSON.parse(printed.stdout)).toMatchObject({ bundleVersion: 1 });
      const input = { input: printed.stdout };
      expect(await runCli(['verify', '-', at('evidence'), '--public-key', at('pub')], {}, input)).toMatchObject({
        exitCode: 0,
      });

      appendFileSync(at('evidence'), '\n');
      const other = await runMain(['verify', at('bundle'), at('evidence'), '--public-key', at('pub')]);
      expect(other.stdout).toMatch(/^WRONG: it is about other evidence.*\nclaimed: conformant in discovery: /u);
      expect(other.exitCode).toBe(1);

      const later = readFileSync(at('evidence'), 'utf8').replace(/"startedAt":"\d{4}/u, '"startedAt":"2999');
      writeFileSync(at('later'), later);
      for (const [args, says] of [
        [['certify', at('evidence'), '--key', at('pub'), '--output', at('x')], 'no Ed25519 private key'],
        [['certify', at('evidence'), '--key', at('key'), '--output', at('key')], 'which is read'],
        [['certify', at('bundle'), '--key', at('key'), '--output', at('x')], ':1: '],
        [['certify', '-', '--key', at('key'), '--output', at('x')], 'has to be a regular file'],
        [['certify', '/dev/null', '--key', at('key'), '--output', at('x')], 'has to be a regular file'],
        [['verify', at('bundle'), '/dev/null'], 'has to be a regular file'],
        [['certify', at('evidence'), '--key', at('encrypted'), '--output', at('x')], 'the key is encrypted'],
        [['certify', at('evidence'), '--key', at('openssh'), '--output', at('x')], 'the form of OpenSSH'],
        [['certify', at('evidence'), '--key', at('two'), '--output', at('x')], 'more than one private key'],
        [['certify', at('evidence'), '--key', at('der'), '--output', at('x')], 'openssl pkey -inform DER'],
        [['verify', at('bundle'), '--public-key', at('der')], 'openssl pkey -inform DER'],
        [['certify', at('later'), '--key', at('key'), '--output', at('x')], 'its run begins in the future: 2999-'],
        [['certify', at('evidence'), '--output', at('x')], '--key'],
        [['verify', at('evidence')], 'no certificate'],
        [['verify', at('bundle'), '--public-key', at('key')], 'no Ed25519 public key'],
        [['verify', at('nothing')], 'no such file'],
      ] as const) {
        const refused = await runMain(args);
        expect(refused.stderr).toContain(says);
        expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
      }
      expect(readFileSync(at('key'), 'utf8')).toBe(secret);
    });
  });
});
