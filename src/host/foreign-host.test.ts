import { describe, expect, it, vi } from 'vitest';
import { withTemporaryDirectory } from '../../test/cli.ts';
import { freePort, killByRequest, writeMortalScript } from '../../test/mortal-script.ts';
import { plainHandle } from '../../test/plain-handle.ts';
import type { CrashHost } from './crash-host.ts';
import type { Revival } from './crash.ts';
import { foreignHost } from './foreign-host.ts';
import { createReviver, type Patience } from './revive.ts';

const never = new AbortController().signal;

interface Driven {
  readonly baseUrl: string;
  readonly revive: (cut?: string) => Promise<Revival>;
  readonly failpoint: () => Promise<unknown>;
}

/** The host, whose starts have ended before anybody looks for what they started. */
function onceEnded(host: CrashHost): CrashHost {
  return {
    ...host,
    start: async (...given) => {
      const start = await host.start(...given);
      if (start.ok) await vi.waitFor(() => expect(start.end()).toBeDefined(), { timeout: 60_000 });
      return start;
    },
  };
}

/** Lends a host that `command` starts: a script in the shell's `$SCRIPT`, on the port in `$PORT`. It dies afterwards. */
async function withHost(
  command: string | undefined,
  work: (host: Driven) => Promise<void>,
  { exits = false, ...patience }: Patience & { readonly exits?: boolean } = {},
): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const restartCommand = command
      ?.replaceAll('$NODE', `'${process.execPath}' '${writeMortalScript(directory)}' --port ${port}`)
      .replaceAll('$DIR', directory);
    const host = foreignHost({ baseUrl, apiKey: undefined, variable: 'KEY', restartCommand });
    const reviver = createReviver(exits ? onceEnded(host) : host, patience);
    const { handle, close } = plainHandle(baseUrl);
    try {
      await work({
        baseUrl,
        revive: (name) => reviver.revive(handle, name === undefined ? undefined : { name, hit: 1 }, never),
        failpoint: async () => ((await (await fetch(baseUrl)).json()) as { FAILPOINT: unknown }).FAILPOINT,
      });
    } finally {
      await close();
      await killByRequest(baseUrl);
    }
  });
}

/** How a command may start it. */
const WAYS = [
  ['in the foreground', 'exec $NODE'],
  ['below a shell', 'true; $NODE; exit $?'],
  ['by a starter that exits', '$NODE & exit 0'],
] as const;

describe('a host of somebody else', () => {
  it.each(WAYS)('is started again %s, with a failpoint or without', async (_, command) => {
    await withHost(command, async ({ baseUrl, revive, failpoint }) => {
      process.env['FAILPOINT'] = 'of-the-caller@1';
      try {
        expect(await revive()).toMatchObject({ ok: true, answered: true });
      } finally {
        delete process.env['FAILPOINT'];
      }
      expect(await failpoint()).toBeNull();
      await killByRequest(baseUrl);
      expect(await revive('before-execute')).toMatchObject({ ok: true, answered: true });
      expect(await failpoint()).toBe('before-execute@1');
    });
  });

  it.each(WAYS)('that is gone again before it answers is started %s once more', async (_, command) => {
    await withHost(
      command,
      async ({ baseUrl, revive }) => {
        expect(await revive()).toMatchObject({ ok: true, answered: true });
        await killByRequest(baseUrl);
        expect(await revive('at-start')).toMatchObject({ ok: true, answered: false });
        expect(await revive()).toMatchObject({ ok: true, answered: true });
      },
      { leastArmedMs: 0 },
    );
  });

  it('that does not come back says with which exit code its starter ended', async () => {
    await withHost(
      'exit 7',
      async ({ revive }) => {
        const reason = expect.stringMatching(/^the restart command failed with exit code 7, /u) as string;
        expect(await revive()).toEqual({ ok: false, reason });
        expect(await revive('before-execute')).toEqual({ ok: false, reason });
      },
      { comeBackMs: 20, exits: true },
    );
  });

  it('without a command is waited for, and nothing can be armed', async () => {
    await withHost(
      undefined,
      async ({ revive }) => {
        const reason = expect.stringMatching(/give --restart-command/u) as string;
        expect(await revive()).toEqual({ ok: false, reason });
        expect(await revive('before-execute')).toEqual({ ok: false, reason });
      },
      { comeBackMs: 20 },
    );
  });
});
