import { describe, expect, it } from 'vitest';
import { OPTIONS, judgementIn, verdictOf } from '../../test/recorded-runs.ts';
import { planted, plantedRuns, PLANTED } from '../../test/planted-runs.ts';
import { BEGUN, IN_DOUBT, NONCE } from '../../test/crash-cells.ts';
import { pointFor, streamWins } from './stream-wins.ts';

const WINS = 'once.stream-wins';
const LEDGER = 'once.stream-wins.ledger-only';
const wins = (seen: ReturnType<typeof plantedRuns>): string => verdictOf(streamWins, WINS, seen);
const ledger = (seen: ReturnType<typeof plantedRuns>): string => verdictOf(streamWins, LEDGER, seen);

/** The runs of a host that is right, both of those that are cut late changed. */
function both(facts: Parameters<typeof planted>[2]): ReturnType<typeof plantedRuns> {
  return plantedRuns(planted('ledger', 'after', facts), planted('effect', 'after', facts));
}

describe('where a store holds another result than the stream', () => {
  it('passes a host that goes on with that in the stream, with either store', () => {
    expect(wins(plantedRuns())).toBe('pass');
    const alone = plantedRuns().filter((each) => (each as { store?: string }).store === 'ledger');
    expect(wins(alone)).toBe('pass');
    const unplanted = planted('effect', 'after', { more: { notDriven: 'answered 400', deaths: [] } });
    expect(wins([...alone, unplanted])).toBe('pass');
  });

  it.each(['ledger', 'effect'] as const)('fails where the run goes on with that in the store %s', (store) => {
    expect(wins(plantedRuns(planted(store, 'after', { output: PLANTED })))).toBe('fail store-over-stream');
    expect(ledger(plantedRuns(planted(store, 'after', { output: PLANTED })))).toBe('pass');
  });

  it('lets a warning name what was found', () => {
    expect(wins(plantedRuns(planted('ledger', 'after', { warning: PLANTED })))).toBe('pass');
  });

  it('fails where the run does not complete', () => {
    const log = `${BEGUN} started finished committed node.failed run.failed`;
    expect(wins(plantedRuns(planted('ledger', 'after', { log })))).toBe('fail stream-not-believed');
    const judgement = streamWins.judge(plantedRuns(planted('ledger', 'after', { log })), OPTIONS)[0];
    expect(judgement?.actual).toMatch(/^failed, with planted-1 planted in the store ledger/u);
  });

  it('is undecided where it was not seen that anything was planted', () => {
    const lost = (['ledger', 'effect'] as const).map((store) => planted(store, 'before', { log: IN_DOUBT }));
    expect(wins(plantedRuns(...lost))).toBe('inconclusive');
    expect(wins([])).toBe('inconclusive');
  });

  it('is undecided where the tool was called again, nobody died, or the log does not show what the stream held', () => {
    expect(wins(both({ calls: 2 }))).toBe('inconclusive');
    expect(wins(both({ calls: 0 }))).toBe('inconclusive');
    expect(wins(both({ callsThen: 0 }))).toBe('inconclusive');
    expect(wins(both({ more: { deaths: [] } }))).toBe('inconclusive');
    expect(wins(both({ more: { log: null } }))).toBe('inconclusive');
    expect(wins(both({ result: null }))).toBe('inconclusive');
    expect(wins(both({ output: null }))).toBe('inconclusive');
  });
});

describe('where the ledger alone holds a result', () => {
  it('passes where it was caught up', () => {
    expect(ledger(plantedRuns())).toBe('pass');
  });

  it('fails where it was not, as far as it is known that it was there', () => {
    const inDoubt = { log: IN_DOUBT, found: ['started', 'COMMITTED', false] } as const;
    expect(ledger(plantedRuns(planted('ledger', 'before', inDoubt)))).toBe('fail ledger-not-caught-up');
    const toolsOwn = { result: NONCE, output: NONCE, found: inDoubt.found };
    expect(ledger(plantedRuns(planted('ledger', 'before', toolsOwn)))).toBe('fail ledger-not-caught-up');
    expect(ledger(plantedRuns(planted('ledger', 'before', { log: IN_DOUBT })))).toBe('inconclusive');
  });

  it('leaves a stream that was not completed to the row of catch-up, and a second call to that of all cuts', () => {
    expect(ledger(plantedRuns(planted('ledger', 'before', { result: null })))).toBe('inconclusive');
    expect(ledger(plantedRuns(planted('ledger', 'before', { calls: 2 })))).toBe('inconclusive');
    expect(ledger([])).toBe('inconclusive');
  });

  it('names no failpoint that there is not', () => {
    const notDriven = 'expose a failpoint between the tool and PutEffect whose name says so, such as after-execute';
    const seen = plantedRuns(planted('ledger', 'before', { more: { notDriven, deaths: [] } }));
    const { reason } = judgementIn(streamWins, 'once.stream-wins.ledger-only', seen);
    expect(reason).toBe(`no death was seen there: ${notDriven}`);
  });
});

describe('the places of the deaths', () => {
  it('lie behind the tool, and behind the append', () => {
    const names = ['after-acquire', 'after-execute', 'after-put-effect', 'before-ledger-commit', 'after-ledger-commit'];
    expect(pointFor('before', names)).toBe('after-execute');
    expect(pointFor('after', names)).toBe('before-ledger-commit');
    expect(pointFor('after', ['p1'])).toBeUndefined();
  });
});
