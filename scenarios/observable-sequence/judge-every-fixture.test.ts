import { describe, expect, it } from 'vitest';
import { observed, recordedRun, replayCalled, runCalled, type Said } from '../../test/recorded-runs.ts';
import { judgeEveryGeneration, judgeUnreported } from './judge-every-fixture.ts';

const ROLE = 'source of conformance-determinism-identity';
const SAYS: Said = ['replay.diverged'];

function log(value: number, ...more: readonly Said[]): readonly Said[] {
  return [
    ['run.started'],
    ['node.started', {}, 'n'],
    ['variable.changed', { name: 'v', value }, 'n'],
    ['node.completed', { output: value }, 'n'],
    ...more,
    ['run.completed'],
  ];
}

function note(key: string): Said {
  return ['log.appended', { key }];
}

const source = runCalled('src', log(1), { role: ROLE });

function told(attempt: string): Said {
  return ['tool_invocation_started', { attempt }, 'n'];
}

/** The log, with a number in each event. */
function hashed(h: number): readonly Said[] {
  return log(1).map(([type, payload, node = 'n']) => [type, { ...Object(payload), h }, node]);
}

function generations(first: readonly Said[], second: readonly Said[], more: object = {}, began = source) {
  return judgeEveryGeneration(
    [
      began,
      replayCalled('first', first, { role: 'replay of determinism-identity from 0', of: 'src' }),
      {
        ...replayCalled('second', second, { role: 'replay of a replay of determinism-identity from 0', of: 'first' }),
        ...more,
      },
    ],
    [],
  );
}

describe('replays of replays of every fixture', () => {
  it('show what the first run shows, and report nothing', () => {
    expect(generations(log(1), log(1))).toMatchObject({ kind: 'pass', reason: 'replays of replays of 1 fixtures' });
    expect(generations(log(1), log(2))).toMatchObject({ kind: 'fail' });
    const noted: Said = ['log.appended', { text: 'by a tool' }];
    expect(generations(log(1), log(1, noted))).toMatchObject({ kind: 'fail' });
    expect(generations(log(1), log(1, SAYS))).toMatchObject({ kind: 'rests', on: 'replay.no-false-divergence' });
  });

  it('rest on the row about replays of replays where none is like the first run in what it notes beside', () => {
    const began = runCalled('src', hashed(1), { role: ROLE });
    const judged = generations(hashed(2), hashed(3), {}, began);
    expect(judged).toMatchObject({ kind: 'rests', on: 'sequence.replay-of-replay', otherwise: { kind: 'undecided' } });
    expect(generations(hashed(2), hashed(1), {}, began)).toMatchObject({ kind: 'pass' });
  });

  it('are not looked at where the first replay differs already, or the second was not seen', () => {
    expect(generations(log(2), log(2))).toMatchObject({
      kind: 'rests',
      on: 'sequence.state-equal.concurrent',
      otherwise: { kind: 'undecided', reason: expect.stringContaining('from 0 first shows something else') },
    });
    const theirs = runCalled('src', log(1), { role: 'source of vendor.echo' });
    expect(generations(log(2), log(2), {}, theirs)).toMatchObject({ kind: 'undecided' });
    expect(generations(log(1), log(1), { problem: 'the run has not ended' })).toMatchObject({ kind: 'undecided' });
    expect(judgeEveryGeneration([source], [])).toMatchObject({ kind: 'undecided' });
  });

  it('of a workflow of somebody else that were not seen leave those of others as they are', () => {
    const theirs = [
      runCalled('their', log(1), { role: 'source of vendor.echo' }),
      replayCalled('their2', log(1), { role: 'replay of vendor.echo from 0', of: 'their' }),
      replayCalled('their3', [], {
        role: 'replay of a replay of vendor.echo from 0',
        of: 'their2',
        problem: 'refused',
      }),
    ];
    const own = [
      source,
      replayCalled('first', log(1), { role: 'replay of determinism-identity from 0', of: 'src' }),
      replayCalled('second', log(1), { role: 'replay of a replay of determinism-identity from 0', of: 'first' }),
    ];
    expect(judgeEveryGeneration([...theirs, ...own], [])).toMatchObject({ kind: 'pass' });
    expect(judgeEveryGeneration(theirs, [])).toMatchObject({ kind: 'undecided' });
    const [began, first] = theirs;
    const other = replayCalled('their3', log(2), { role: 'replay of a replay of vendor.echo from 0', of: 'their2' });
    expect(
      judgeEveryGeneration(
        [began, first, other].filter((run) => run !== undefined),
        [],
      ),
    ).toMatchObject({ kind: 'fail' });
  });

  it('show the members that a run and its replay have alike, and the causes of events', () => {
    const bare: Said = ['tool_invocation_started', {}, 'n'];
    const began = runCalled('src', log(1, told('1')), { role: ROLE });
    expect(generations(log(1, told('1')), log(1, told('1')), {}, began)).toMatchObject({ kind: 'pass' });
    expect(generations(log(1, told('1')), log(1, bare), {}, began)).toMatchObject({ kind: 'fail' });
    expect(generations(log(1, told('2')), log(1, bare), {}, began)).toMatchObject({ kind: 'rests' });
    const caused = (run: typeof source) => ({
      ...run,
      events: run.events.map((event) => ({ ...Object(event), causationId: 'x' })),
    });
    const first = replayCalled('first', log(1), { role: 'replay of determinism-identity from 0', of: 'src' });
    const second = replayCalled('second', log(1), { role: `replay of a ${first.role}`, of: 'first' });
    expect(judgeEveryGeneration([caused(source), caused(first), second], [])).toMatchObject({ kind: 'fail' });
    expect(judgeEveryGeneration([caused(source), first, second], [])).toMatchObject({ kind: 'rests' });
  });

  it('may report what they show otherwise than the first replay does, which is no false alarm', () => {
    const reported = generations(log(1, note('a')), log(1, note('b'), SAYS));
    expect(reported).toMatchObject({ kind: 'undecided' });
    const noted = { ...source, events: runCalled('src', log(1, note('a'))).events };
    expect(generations(log(1, note('a')), log(1, note('b'), SAYS), {}, noted)).toMatchObject({ kind: 'fail' });
  });
});

function unchanged(said: readonly Said[], role = ROLE) {
  return judgeUnreported([{ ...source, role }, replayCalled('again', said, { of: 'src' })], []);
}

function sweptWith(swept: number, why: string) {
  const leftOut = [{ workflowId: 'theirs', why }];
  return judgeUnreported([observed('s', 'swept', { advertised: 2, swept, leftOut })], []);
}

describe('replays of unchanged code', () => {
  it('neither differ nor say that they do', () => {
    expect(unchanged(log(1))).toMatchObject({ kind: 'pass' });
    expect(unchanged(log(2, SAYS))).toMatchObject({ kind: 'fail' });
  });

  it('differ in each workflow for itself', () => {
    const theirs = { ...runCalled('they', log(1)), role: 'source of conformance-delay' };
    const again = (of: string) => replayCalled(`again ${of}`, log(2, SAYS), { of });
    const runs = [{ ...source, role: ROLE }, again('src'), again('src'), theirs, again('they')];
    expect(judgeUnreported(runs, [])).toMatchObject({ kind: 'fail', further: [{ differs: expect.anything() }] });
  });

  it('that are silent, or alarm for nothing, are for other rows', () => {
    expect(unchanged(log(2))).toMatchObject({ kind: 'pass' });
    expect(unchanged(log(1, SAYS))).toMatchObject({ kind: 'undecided' });
  });

  it('are those of fixtures and public workflows, which replay the same', () => {
    const theirs = 'source of conformance-delay';
    expect(unchanged(log(2, SAYS), theirs)).toMatchObject({ kind: 'fail' });
    expect(unchanged(log(1), theirs)).toMatchObject({ kind: 'pass' });
    const hanging = replayCalled('again', [], { of: 'src', problem: 'the run has not ended' });
    expect(judgeUnreported([{ ...source, role: theirs }, hanging], [])).toMatchObject({
      kind: 'undecided',
      reason: expect.stringContaining('no fixture could be replayed'),
    });
    expect(unchanged(log(2, SAYS), 'source of a-workflow-of-theirs')).toMatchObject({ kind: 'undecided' });
    expect(unchanged(log(1), 'source of a-workflow-of-theirs')).toMatchObject({
      kind: 'pass',
      reason: '1 replays of workflows of others report no difference',
    });
    const unseen = recordedRun(null, { role: ROLE, problem: 'not made' });
    expect(judgeUnreported([unseen], [])).toMatchObject({ kind: 'undecided' });
  });

  it('are none where no workflow was to be swept, which is named', () => {
    expect(sweptWith(0, '--sweep none')).toMatchObject({
      reason: expect.stringContaining('--sweep none leaves out 1 of them: sweep the workflows'),
    });
    for (const other of [sweptWith(1, '--sweep none'), sweptWith(0, 'time')]) {
      expect(other).toMatchObject({ reason: expect.stringContaining('run the public workflow') });
    }
  });
});
