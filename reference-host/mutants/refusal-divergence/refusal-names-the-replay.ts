import type { Mutant } from '../mutant.ts';
import { isObject } from '../../json.ts';
import { bothDirections, raising } from '../shared/refusal-parts.ts';

export const refusalNamesTheReplay: Mutant = {
  id: 'refusal-names-the-replay',
  breaks: 'The event names the replay as its source.',
  kills: [...bothDirections('payload')],
  parts: raising((raised, { run }) => [
    { ...raised, payload: { ...(isObject(raised.payload) ? raised.payload : {}), sourceRunId: run.runId } },
  ]),
};
