import { member } from '../../src/contract/discovery.ts';
import type { Mismatch } from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { shown } from './compare-runs.ts';
import { codeInEvent } from './read-event.ts';

type Saying = Pick<RunEvent, 'payload'>;

/** The words of an error's message that may stand in that of any run: ids, times and counts are a run's own. */
export function errorWords(message: unknown): string {
  const words = typeof message === 'string' ? message.split(/\s+/u) : [];
  return words.filter((word) => !/\d/u.test(word)).join(' ');
}

/** The words of the error in an event, which may be its message alone. */
function wordsIn({ payload }: Saying): string {
  const error = member(payload, 'error');
  return errorWords(typeof error === 'string' ? error : member(error, 'message'));
}

/**
 * Where an event of a replay shows another error than its source's event does: another code or none, or other words. Undefined where
 * it does not, where the source's shows none, and where one of them is not there.
 */
export function otherError(
  source: Saying | undefined,
  replay: Saying | undefined,
): Pick<Mismatch, 'expected' | 'actual'> | undefined {
  if (source === undefined || replay === undefined) return undefined;
  const [code, words] = [codeInEvent(source), wordsIn(source)];
  const [ownCode, ownWords] = [codeInEvent(replay), wordsIn(replay)];
  if (code !== undefined && ownCode !== code) {
    return {
      expected: `error code ${code}`,
      actual: ownCode === undefined ? 'no error code' : `error code ${ownCode}`,
    };
  }
  if (words === '' || ownWords === '' || ownWords === words) return undefined;
  return { expected: `the message ${shown(words)}`, actual: `the message ${shown(ownWords)}` };
}
