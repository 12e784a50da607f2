import type { Mutant } from '../mutant.ts';
import { member } from '../../json.ts';

export const replaySpansWithInputs: Mutant = {
  id: 'replay-spans-with-inputs',
  breaks: 'The span of a replay carries the inputs of its run as they are.',
  kills: ['privacy.same-redaction.spans'],
  parts: () => {
    const inputs = new Map<string, unknown>();
    return {
      written: (draft, { run }) => {
        if (draft.type === 'run.started' && run.fork !== undefined)
          inputs.set(run.runId, member(draft.payload, 'inputs'));
        return [draft];
      },
      span: (attributes) => {
        const of = inputs.get(String(attributes['openwop.run_id']));
        return of === undefined ? attributes : { ...attributes, 'openwop.run.inputs': JSON.stringify(of) };
      },
    };
  },
};
