import { describe, expect, it } from 'vitest';
import { runMain } from '../../../test/run-main.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { explain } from './explain.ts';

/** What `explain` writes about a name. */
async function told(name: string): Promise<string> {
  const { exitCode, stdout } = await runMain(['explain', name]);
  expect(exitCode).toBe(0);
  return stdout;
}

describe('explain', () => {
  it.each([
    ['of a suite', 'overlay-ignored', 'fork.branch-applies-overlay'],
    ['that several suites name', 'second-call', 'refusal.cached-response-wins'],
    ['that is a class of divergence', 'duplicate-effect', 'sequence.prefix-equal'],
    ['of the catalogue', 'salted', 'cache-key.deterministic'],
  ])('tells a cause %s', async (_kind, code, broken) => {
    const text = await told(code);
    expect(text).toContain(`diagnosis ${code}\n`);
    expect(text).toContain(broken);
  });

  it('tells each of the causes that a judgement names together', async () => {
    const text = await told('nfc-applied+salted');
    expect(text).toContain('diagnosis nfc-applied\n');
    expect(text).toContain('diagnosis salted\n');
  });

  it('says of a cause what to look at first: what the first row that it breaks asks', async () => {
    expect(await told('shared-run-id')).toContain(
      '  breaks: fork.created\n  look first at what fork.created asks: 201 with runId, sourceRunId, fromSeq, mode',
    );
  });

  it('names the statements that a requirement stands for, in any document', async () => {
    const text = await told('refusal.payload');
    expect(text).toContain('statements: 0041 B Refusals on replay 5; replay Phase 4 B Refusals 3\n');
  });

  it('names none for a requirement that no document makes', async () => {
    expect(await told('run.stream-modes')).not.toContain('statements:');
  });

  it('says of a suite that it is one', async () => {
    await expect(explain('fork-contract')).rejects.toThrow('fork-contract is a suite: `list` names its scenarios');
  });

  it('refuses a name of which a part is unknown', async () => {
    await expect(explain('salted+peppered')).rejects.toThrow(UsageError);
    await expect(explain('salted+truncatd')).rejects.toThrow(/"truncatd"; did you mean truncated\?/u);
  });
});
