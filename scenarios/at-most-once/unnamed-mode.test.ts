import { describe, expect, it } from 'vitest';
import type { OnceHostOptions } from '../../test/once-host.ts';
import { driveOnce } from '../../test/once-drive.ts';
import { observed, verdictOf } from '../../test/recorded-runs.ts';
import { unnamedMode } from './unnamed-mode.ts';

const ID = 'once.verified-recovery.unnamed-mode';

async function driven(mode: NonNullable<OnceHostOptions['mode']>): Promise<string> {
  const seen = await driveOnce(unnamedMode, { mode });
  return verdictOf(
    unnamedMode,
    ID,
    seen.map((each, index) => ({ ...each, id: `o${index}` })),
  );
}

describe('a fixture that names no mode', () => {
  it('is verified strictly', async () => {
    expect(await driven('strict')).toBe('pass');
    expect(await driven('warn')).toBe('fail injected-over-failed-verification');
    expect(await driven('human-in-loop')).toBe('fail not-failed');
  });

  it('says nothing where its code was not changed', () => {
    expect(verdictOf(unnamedMode, ID, [])).toBe('inconclusive');
    const refused = observed('r', 'revision', { revision: '2.0.0', problem: 'no such seam' });
    expect(verdictOf(unnamedMode, ID, [refused])).toBe('inconclusive');
  });
});
