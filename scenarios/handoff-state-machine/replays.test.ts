import { describe, expect, it } from 'vitest';
import { observed, refusedRun, unfinished, verdictOf, witnessed } from '../../test/recorded-runs.ts';
import { type Entry, HAPPY, handoffRun, replaced, without } from '../../test/handoff-runs.ts';
import { replays } from './replays.ts';

type Evidence = Parameters<typeof verdictOf>[2];

const fork = { sourceRunId: 'run-parent', mode: 'replay', fromSeq: null, advertised: true };
const source = (log: readonly Entry[] = HAPPY, more: object = {}) => handoffRun(log, { role: 'source', ...more });
const replay = (log: readonly Entry[] = HAPPY, more: object = {}) =>
  handoffRun(log, { id: 'o4', role: 'full replay', runId: 'run-replay', fork, ...more });
const calls = (after: string, count: number) =>
  observed(`o-${after}`, 'calls', {
    after,
    url: 'http://witness',
    calls: Array.from({ length: count }, () => witnessed()),
  });

const running = { snapshot: { status: 'running', variables: { parentResult: '' } } };

function verdict(...seen: Evidence): string {
  return verdictOf(replays, 'handoff.replays', seen);
}

describe('handoff.replays', () => {
  it('passes where a replay tells the same and calls nobody', () => {
    expect(verdict(source(), calls('source', 1), replay(), calls('full replay', 1))).toBe('pass');
  });

  it('passes where a replay has a child of its own without effects', () => {
    const other = JSON.parse(JSON.stringify(HAPPY).replaceAll('run-child', 'run-other')) as readonly Entry[];
    expect(verdict(source(), calls('source', 1), replay(other), calls('full replay', 1))).toBe('pass');
  });

  it('fails where the tool is called again, whatever became of the replay', () => {
    const again = [source(), calls('source', 1), replay(), calls('full replay', 2)];
    expect(verdict(...again)).toBe('fail dispatched-again');
    expect(verdict(...again.with(2, unfinished(replay())))).toBe('fail dispatched-again');
  });

  it.each<readonly [string, ReturnType<typeof replay>]>([
    ['ends otherwise', replay(replaced(HAPPY, 'over', { type: 'run.failed' }))],
    ['has a transition less', replay(without(HAPPY, 'harvested'))],
    ['has a decision less', replay(without(HAPPY, 'end'))],
    ['comes to another state', replay(HAPPY, { snapshot: { status: 'completed', variables: { parentResult: 'x' } } })],
    ['still runs, as its snapshot says', replay(HAPPY, running)],
    ['is refused', refusedRun(replay())],
  ])('fails where the replay %s', (_, run) => {
    expect(verdict(source(), calls('source', 1), run, calls('full replay', 1))).toBe('fail');
  });

  it.each<readonly [string, Evidence]>([
    ['nothing was driven', []],
    ['the source was not seen', [unfinished(source()), calls('source', 0)]],
    ['the source did not call', [source(), calls('source', 0)]],
    ['the source dispatched nobody', [source(without(HAPPY, 'succeeded')), calls('source', 1)]],
    ['the source failed', [source(replaced(HAPPY, 'over', { type: 'run.failed' })), calls('source', 1)]],
    ['the snapshot of the source is older than its log', [source(HAPPY, running), calls('source', 1), replay()]],
    ['there is no replay', [source(), calls('source', 1)]],
    ['the replay was not seen', [source(), calls('source', 1), unfinished(replay()), calls('full replay', 1)]],
  ])('is open where %s', (_, seen) => {
    expect(verdict(...seen)).toBe('inconclusive');
  });
});
