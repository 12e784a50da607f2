import type { Recorder } from './recorder.ts';
import type { Redactor } from './redact.ts';

/** A recorder for work without end whose exchanges nobody looks at again: it numbers them and keeps nothing. */
export function createUnkeptRecorder(redact: Redactor): Recorder {
  let exchanges = 0;
  return {
    exchange: () => {
      exchanges += 1;
      return `x${exchanges}`;
    },
    observation: (scenario, observation) => ({ kind: 'observation', id: 'o0', scenario, observation }),
    add: () => undefined,
    records: [],
    full: new AbortController().signal,
    redact,
  };
}
