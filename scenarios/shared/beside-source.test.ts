import { expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { replayOf, runAs, say, type Said } from '../../test/recorded-runs.ts';
import { faultBesideSource } from './beside-source.ts';

const WRITES = say('variable.changed', { name: 'v', value: 1 });
const LOG = [say('run.started'), WRITES, say('run.completed')];

function showing(id: string, variables: Json, log: readonly Said[] = LOG) {
  return runAs(id, log, { snapshot: { status: 'completed', variables } });
}

const source = showing('source', { v: 1, initial: 0 });
const replay = (variables: Json, log: readonly Said[] = LOG) => ({
  ...showing('replay', variables, log),
  ...replayOf(source, 0),
});
const GHOST = { v: 1, initial: 0, ghost: 1 };

it("finds a variable that neither the replay's log nor its source's snapshot has", () => {
  const fault = faultBesideSource(replay(GHOST), [source]);
  expect(fault).toMatchObject({ actual: '1', code: 'snapshot-added-variable' });
  expect(fault?.expected).toContain('/variables/ghost');
});

it("finds a channel that neither the replay's log nor its source's snapshot has", () => {
  const [plain, ghosted] = [{}, { ghost: 1 }].map((channels) =>
    runAs('run', LOG, { snapshot: { status: 'completed', variables: { v: 1 }, channels } }),
  );
  if (plain === undefined || ghosted === undefined) throw new Error('two runs');
  const beside = (written: readonly Said[]) => ({
    ...ghosted,
    ...replayOf(plain, 0),
    id: 'replay',
    events: runAs('run', written).events,
  });
  const fault = faultBesideSource(beside(LOG), [plain]);
  expect(fault).toMatchObject({ actual: '1', code: 'snapshot-added-channel' });
  expect(fault?.expected).toContain('/channels/ghost');
  const [first = WRITES, ...others] = LOG;
  const sent = say('channel.written', { channel: 'ghost', value: 1 });
  expect(faultBesideSource(beside([first, sent, ...others]), [plain])).toBeUndefined();
  expect(faultBesideSource({ ...ghosted, ...replayOf(ghosted, 0) }, [ghosted])).toBeUndefined();
});

const branch = (variables: Json, log: readonly Said[] = LOG) => ({
  ...replay(variables, log),
  fork: { ...replayOf(source, 0).fork, mode: 'branch' as const },
});

const plainBranch = (log: readonly Said[] = LOG) => {
  const run = branch(GHOST, log);
  return { ...run, fork: { ...run.fork, isPlain: true as const } };
};

it('finds a variable of which neither the log of a branch without an overlay knows nor its source', () => {
  expect(faultBesideSource(plainBranch(), [source])).toMatchObject({ actual: '1', code: 'snapshot-added-variable' });
});

it('passes what a branch shows to be empty, which a replay may not', () => {
  for (const empty of [null, [], {}]) {
    const run = branch({ ...Object(GHOST), ghost: empty });
    const plain = { ...run, fork: { ...run.fork, isPlain: true as const } };
    expect(faultBesideSource(plain, [source])).toBeUndefined();
    expect(faultBesideSource(replay({ ...Object(GHOST), ghost: empty }), [source])).toMatchObject({
      code: 'snapshot-added-variable',
    });
  }
});

it('finds that a branch alone hides what its log writes', () => {
  const fault = faultBesideSource(branch(null), [source]);
  expect(fault).toMatchObject({ actual: 'null', code: 'snapshot-other-variable' });
});

const writing = say('variable.changed', { name: 'ghost', value: 1 });
const [started = WRITES, ...rest] = LOG;

it.each([
  ['what the source shows', replay({ v: 1, initial: 2 }), [source]],
  ['what the log of the replay writes', replay(GHOST, [started, writing, ...rest]), [source]],
  ['what the log of the source writes', replay(GHOST), [showing('source', { v: 1 }, [started, writing, ...rest])]],
  [
    'what a node may have written that completed in the replay alone',
    replay(GHOST, [started, say('node.completed', { nodeId: 'n' }), ...rest]),
    [source],
  ],
  [
    'what a change without a name may have written',
    replay(GHOST, [started, say('variable.changed', { delta: 1 }), ...rest]),
    [source],
  ],
  ['no replay', { ...showing('run', GHOST), fork: null }, [source]],
  ['a branch that may have an overlay', branch(GHOST), [source]],
  ['a branch that asked', plainBranch([...LOG.slice(0, -1), say('interrupt.requested'), ...LOG.slice(-1)]), [source]],
  ['a branch that writes none', branch(null, [say('run.started'), say('run.completed')]), [source]],
  ['a branch of a source that shows none either', branch(null), [showing('source', null)]],
  ['a branch that has not ended', branch(null, LOG.slice(0, -1)), [source]],
  ['a branch that was cancelled', branch(null, [...LOG.slice(0, -1), say('run.cancelled')]), [source]],
  ['a replay that has not ended', replay(GHOST, LOG.slice(0, -1)), [source]],
  ['no variables', replay(null), [source]],
  ['a source without variables', replay(GHOST), [showing('source', null)]],
  ['a source that is against its own log', replay(GHOST), [showing('source', {})]],
  ['no source', replay(GHOST), []],
])('finds nothing in %s', (_, each, among) => {
  expect(faultBesideSource(each, among)).toBeUndefined();
});
