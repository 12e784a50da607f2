import { anything, faultFinder, flag, list, nullable, number, record, run, text } from '../shared/shapes.ts';

/** How a log was answered in each way. */
const answers = record({ sse: nullable(number), json: nullable(number), poll: nullable(number) });

/** Where an observation of this suite is not as it is recorded, as a JSON pointer; undefined where it is. */
export const faultIn = faultFinder({
  run,
  child: record({
    parent: text,
    runId: text,
    answered: nullable(number),
    snapshot: anything,
    events: list(anything),
    problem: nullable(text),
    logs: nullable(record({ own: answers, parents: answers })),
  }),
  cancel: record({ runId: text, answered: nullable(number), waited: flag }),
  asked: record({ status: nullable(text), nodeId: text, answered: nullable(number) }),
  calls: record({ after: text, url: text, calls: list(anything) }),
});
