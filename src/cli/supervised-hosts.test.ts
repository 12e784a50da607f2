import { describe, expect, it } from 'vitest';
import { withTemporaryDirectory } from '../../test/cli.ts';
import { killByRequest, writeMortalScript } from '../../test/mortal-script.ts';
import { plainHandle } from '../../test/plain-handle.ts';
import { createReviver } from '../host/revive.ts';
import { startSupervisedHost, type SupervisedHost } from './supervised-hosts.ts';

const never = new AbortController().signal;

async function withHost(work: (host: SupervisedHost) => Promise<void>): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const command = { args: [writeMortalScript(directory), 'serve'], name: 'the script' };
    const host = await startSupervisedHost(command, never);
    try {
      await work(host);
    } finally {
      await host.end();
    }
  });
}

async function discovery(baseUrl: string): Promise<unknown> {
  return (await fetch(`${baseUrl}/.well-known/openwop`)).json();
}

describe('a supervised host', () => {
  it('says where it is, and ends when it is told to', async () => {
    let baseUrl = '';
    await withHost(async (host) => {
      ({ baseUrl } = host);
      expect(host).toMatchObject({ apiKey: 'key-of-the-script', armsAtStart: true });
      expect(await host.isUp(plainHandle(baseUrl).handle)).toBe(true);
      process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:1';
      await killByRequest(baseUrl);
      expect((await host.start(undefined, never)).ok).toBe(true);
      delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
      expect(await discovery(baseUrl)).toEqual({ FAILPOINT: null, otel: null });
    });
    await expect(discovery(baseUrl)).rejects.toThrow('fetch failed');
  });

  it('is started again at the same address after its death, armed or not', async () => {
    await withHost(async (host) => {
      const { handle, close } = plainHandle(host.baseUrl);
      const reviver = createReviver(host);
      await killByRequest(host.baseUrl);
      const cut = { name: 'before-execute', hit: 2 };
      expect(await reviver.revive(handle, cut, never)).toMatchObject({ ok: true, answered: true });
      expect(await discovery(host.baseUrl)).toMatchObject({ FAILPOINT: 'before-execute@2' });
      await killByRequest(host.baseUrl);
      expect(await host.isUp(handle)).toBe(false);
      expect(await reviver.revive(handle, { name: 'at-start', hit: 1 }, never)).toMatchObject({
        ok: true,
        answered: false,
      });
      expect(await reviver.revive(handle, { name: 'broken', hit: 1 }, never)).toEqual({
        ok: false,
        reason: 'the start ended with exit code 3: no such failpoint',
      });
      expect(await reviver.revive(handle, undefined, never)).toMatchObject({ ok: true, answered: true });
      expect(await discovery(host.baseUrl)).toMatchObject({ FAILPOINT: null });
      await close();
    });
  });

  it('is not started a second time while it lives', async () => {
    await withHost(async (host) => {
      const start = await host.start(undefined, AbortSignal.timeout(100));
      expect(start).toEqual({ ok: false, reason: 'still running: the host did not die' });
      expect(await discovery(host.baseUrl)).toMatchObject({ FAILPOINT: null });
    });
  });

  it('that says no address did not start, and the reason is its own', async () => {
    const command = { args: ['-e', 'console.error("out of order"); process.exit(5)', 'x'], name: 'the script' };
    await expect(startSupervisedHost(command, never)).rejects.toThrow(
      'the script did not start: exit code 5: out of order',
    );
    const silent = { args: ['-e', 'setInterval(() => {}, 1000)', 'x'], name: 'the script' };
    await expect(startSupervisedHost(silent, AbortSignal.timeout(200))).rejects.toThrow('the script did not start');
  });
});
