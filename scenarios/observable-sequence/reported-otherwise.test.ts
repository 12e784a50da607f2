import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { readRunEvent } from '../../src/host/run-event.ts';
import { replayCalled, runCalled, type Said } from '../../test/recorded-runs.ts';
import { withoutReported } from './reported-otherwise.ts';

const SET: Said = ['variable.changed', { name: 'v', value: 1 }, 'n'];
const LINE: Said = ['log.appended', { text: 'replayed' }];
const SAYS: Said = ['replay.diverged'];
const REFUSED: Said = ['replay.divergedAtRefusal'];

function log(...said: readonly Said[]): readonly Said[] {
  return [['run.started'], ...said, ['run.completed']];
}

const source = runCalled('src', log(SET));
const shown = (...said: readonly Said[]) => [replayCalled('shown', log(...said)), source];
const other = runCalled('other', log(SET, SET));
const replayed = (...said: readonly Said[]) => replayCalled('replayed', log(...said), { of: 'other' });

function typesOf(left: object | undefined): readonly unknown[] | undefined {
  const events = left as { readonly events: readonly Json[] } | undefined;
  return events?.events.slice(1, -1).map((event) => readRunEvent(event)?.type);
}

describe('what replays write otherwise, and report', () => {
  it('is what they add, with the report of it', () => {
    const pair = [other, replayed(SET, LINE, SAYS, SET)] as const;
    expect(typesOf(withoutReported(pair[1], shown(SET, SAYS, LINE), pair))).toEqual([SET[0], SET[0]]);
    expect(withoutReported(other, shown(SET, SAYS, LINE), pair)).toBeUndefined();
  });

  it('is what they lose, in their sources, too', () => {
    const pair = [other, replayed(SAYS)] as const;
    expect(typesOf(withoutReported(pair[1], shown(SAYS), pair))).toEqual([]);
    expect(withoutReported(other, shown(SAYS), pair)).toMatchObject({ snapshot: { variables: {} } });
  });

  it('leaves the report of whatever else differs', () => {
    const pair = [other, replayed(SET, LINE, SAYS)] as const;
    expect(typesOf(withoutReported(pair[1], shown(SET, SAYS, LINE), pair))).toEqual([SET[0], SAYS[0]]);
  });

  it('leaves the report of a refusal alone', () => {
    const pair = [other, replayed(SET, SAYS, LINE, REFUSED)] as const;
    expect(typesOf(withoutReported(pair[1], shown(SET, SAYS, LINE), pair))).toEqual([SET[0], REFUSED[0]]);
  });

  it('is nothing where the replays that were found to differ do not say so, or where one does not', () => {
    const pair = [other, replayed(SET, SET, LINE)] as const;
    expect(withoutReported(pair[1], shown(SET, LINE), pair)).toBeUndefined();
    expect(withoutReported(replayed(SET, SAYS), shown(SET, SAYS), [other])).toBeUndefined();
  });
});
