import { type RecordedKey, shownAnswer } from './observation.ts';

/** What a host does where the documents leave it a choice (readings.md, either), one sentence a case. */
export function tellEithers(keys: readonly RecordedKey[]): readonly string[] {
  return keys
    .filter(({ part, like }) => part === 'either' && like !== undefined)
    .map((asked) => {
      const other = keys.find(({ name }) => name === asked.like);
      return `${asked.name}: ${told(asked, other)}`;
    });
}

function told(asked: RecordedKey, other: RecordedKey | undefined): string {
  if (asked.answer.kind !== 'key') return shownAnswer(asked.answer);
  const same = other?.answer.kind === 'key' && other.answer.key === asked.answer.key;
  return `${same ? 'the same key as' : 'another key than'} "${asked.like ?? ''}"`;
}
