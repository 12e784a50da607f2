import type { Route } from '../http/route.ts';
import { isObject, member, stringMember } from '../json.ts';
import type { Plants } from '../ledger/plants.ts';
import { FAILPOINTS, STALL_POINTS, type Failpoints } from '../store/failpoints.ts';
import { invalid, type Answer } from '../types/answers.ts';
import { seam, seamHandler, type SeamHost } from './seam.ts';

/** The test-only endpoints about tool calls and crashes. */
export function ledgerSeamRoutes({ failpoints, plants, diary }: SeamHost): readonly Route[] {
  return [
    {
      ...seam('failpoint', 'Kill the process, or hold a worker up, at a named place'),
      handle: seamHandler(({ value }) => arm(failpoints, value)),
    },
    {
      ...seam('failpoint/passed', 'The failpoints that this process has passed, in order'),
      handle: seamHandler(() => ({ status: 200, body: { ...failpoints.passed() } })),
    },
    {
      ...seam('invocations', 'What workers found and decided when they came to the tool calls of a run'),
      handle: seamHandler(({ value }) => ofRun(value, (runId) => ({ decisions: diary.decisions(runId) }))),
    },
    {
      ...seam('invocations/plant', "Let a store hold another result of a node's next call than the tool gives"),
      handle: seamHandler(({ text, value }) => plant(plants, text, value)),
    },
    {
      ...seam('verification', 'How many failed verifications of a run were warned about'),
      handle: seamHandler(({ value }) =>
        ofRun(value, (runId) => ({ confirmationReplayWarnTotal: diary.warnings(runId) })),
      ),
    },
  ];
}

/** A stalled worker goes on after this many milliseconds at the latest. */
const LONGEST_STALL_MS = 10_000;

function arm(failpoints: Failpoints, body: unknown): Answer {
  const name = stringMember(body, 'name') ?? '';
  switch (member(body, 'action')) {
    case 'kill': {
      const hit = member(body, 'hit');
      if (!FAILPOINTS.includes(name)) return invalid('name must be one of the advertised failpoints.');
      if (!isWhole(hit)) return invalid('hit must be a whole number from 1 on.');
      failpoints.arm({ name, hit });
      return { status: 200, body: { name, hit } };
    }
    case 'stall': {
      const milliseconds = member(body, 'milliseconds');
      if (!STALL_POINTS.includes(name)) return invalid(`name must be ${STALL_POINTS.join(' or ')}.`);
      if (!isWhole(milliseconds) || milliseconds > LONGEST_STALL_MS) {
        return invalid(`milliseconds must be a whole number up to ${LONGEST_STALL_MS}.`);
      }
      failpoints.armStall({ name, milliseconds });
      return { status: 200, body: { name, milliseconds } };
    }
    default:
      return invalid('action must be kill or stall.');
  }
}

/** A planted result, with everything around it, has at most this many characters. */
const LARGEST_PLANT = 10_000;

function plant(plants: Plants, text: string, body: unknown): Answer {
  const [nodeId, store] = [stringMember(body, 'nodeId'), member(body, 'store')];
  if (nodeId === undefined || nodeId === '') return invalid('nodeId must be a string that is not empty.');
  if (store !== 'ledger' && store !== 'effect') return invalid('store must be ledger or effect.');
  if (!isObject(body) || !Object.hasOwn(body, 'result')) return invalid('result must be there.');
  if (text.length > LARGEST_PLANT) return invalid(`The body may have ${LARGEST_PLANT} characters.`);
  plants.set({ nodeId, store, result: body['result'] });
  return { status: 200, body: { nodeId, store } };
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

function ofRun(body: unknown, answer: (runId: string) => object): Answer {
  const runId = stringMember(body, 'runId');
  return runId === undefined ? invalid('runId must be a string.') : { status: 200, body: answer(runId) };
}
