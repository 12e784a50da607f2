import { isObject, type JsonObject, member } from '../../json.ts';
import type { Defects, Parts } from '../mutant.ts';
import { leftOut } from '../shared/fork-parts.ts';
import { knowingForks } from '../shared/run-memory.ts';
import { answered, answeredInstead } from '../shared/run-wire.ts';

const DIFF = /^\/v1\/runs\/[^/]+:diff$/u;

/** Changes the answers that say how two runs differ. */
function differing(change: (diff: JsonObject, isSame: boolean) => JsonObject): Parts {
  return answered('GET', DIFF, async (answer) => {
    const body: unknown = await answer.clone().json();
    if (answer.status !== 200 || !isObject(body)) return answer;
    return Response.json(change(body, body['a'] === body['b']));
  });
}

/** Changes each entry of their lists. */
function listingEach(change: (entry: JsonObject) => JsonObject): Parts {
  return differing((diff) => {
    const { eventDiffs } = diff;
    return { ...diff, eventDiffs: Array.isArray(eventDiffs) ? eventDiffs.filter(isObject).map(change) : eventDiffs };
  });
}

/** Finds no difference of runs that were forked in such modes; undefined for those that are no forks. */
function blindWhere(fits: (a: unknown, b: unknown) => boolean): Parts {
  return knowingForks((modeOf) =>
    differing((diff) =>
      fits(modeOf(String(diff['a'])), modeOf(String(diff['b'])))
        ? { ...diff, divergedAtSeq: null, eventDiffs: [], stateDiff: {} }
        : diff,
    ),
  );
}

/** What the host says of two runs. */
export const defects: Defects = {
  'diff-finds-itself-different': {
    breaks: 'A run differs from itself, by the :diff endpoint.',
    kills: ['diff.shape'],
    parts: differing((diff, isSame) => (isSame ? { ...diff, divergedAtSeq: 0 } : diff)),
  },
  'diff-without-list': {
    breaks: 'The :diff endpoint does not say which events differ.',
    kills: ['diff.shape'],
    parts: differing((diff) => leftOut(diff, 'eventDiffs')),
  },
  'diff-empty': {
    breaks: 'The :diff endpoint answers with an empty object.',
    kills: ['diff.shape'],
    parts: differing(() => ({})),
  },
  'diff-of-no-run': {
    breaks: 'The :diff endpoint compares with nothing where no run is named.',
    kills: ['diff.shape'],
    parts: answeredInstead('GET', DIFF, 400, () =>
      Response.json({ divergedAtSeq: null, eventDiffs: [], stateDiff: {} }),
    ),
  },
  'diff-as-text': {
    breaks: 'The :diff endpoint says in plain text where two runs part.',
    kills: ['diff.shape'],
    parts: answered('GET', DIFF, async (answer) => {
      const body: unknown = await answer.clone().json();
      if (answer.status !== 200 || !isObject(body) || body['a'] === body['b']) return answer;
      return new Response(`they part at ${String(body['divergedAtSeq'])}`);
    }),
  },
  'diff-blind-backwards': {
    breaks: 'The :diff endpoint finds no difference of a run from one that was made before it.',
    kills: ['diff.first-divergence'],
    parts: differing((diff) =>
      String(diff['a']) > String(diff['b']) ? { ...diff, divergedAtSeq: null, eventDiffs: [], stateDiff: {} } : diff,
    ),
  },
  'diff-blind-to-branches': {
    breaks: 'The :diff endpoint finds no difference of a branch from a run that is none.',
    kills: ['diff.first-divergence'],
    parts: blindWhere((a, b) => (a === 'branch') !== (b === 'branch')),
  },
  'diff-blind-to-forks': {
    breaks: 'The :diff endpoint finds no difference of two forks.',
    kills: ['diff.first-divergence'],
    parts: blindWhere((a, b) => a !== undefined && b !== undefined),
  },
  'diff-turned-round': {
    breaks: 'The :diff endpoint names first what a later run is compared with.',
    kills: ['diff.first-divergence'],
    parts: differing((diff) =>
      String(diff['a']) > String(diff['b']) ? { ...diff, a: diff['b'], b: diff['a'] } : diff,
    ),
  },
  'diff-blind': {
    breaks: 'The :diff endpoint finds no difference, whatever it compares.',
    kills: ['diff.first-divergence'],
    parts: differing((diff) => ({ ...diff, divergedAtSeq: null, eventDiffs: [], stateDiff: {} })),
  },
  'diff-blind-to-states': {
    breaks: 'The :diff endpoint says of all runs that their states are the same.',
    kills: ['diff.first-divergence'],
    parts: differing((diff) => ({ ...diff, stateDiff: {} })),
  },
  'diff-by-raw-ids': {
    breaks: 'The :diff endpoint takes ids and clocks for differences.',
    kills: ['diff.first-divergence'],
    parts: differing((diff, isSame) => (isSame ? diff : { ...diff, divergedAtSeq: 0 })),
  },
  'diff-names-all-changed': {
    breaks: 'The :diff endpoint says of all that one run has and the other has not that it is changed.',
    kills: ['diff.first-divergence'],
    parts: listingEach((each) => ({ ...each, op: 'changed' })),
  },
  'diff-one-too-late': {
    breaks: 'The :diff endpoint says that runs part an event later than the first one that it lists.',
    kills: ['diff.first-divergence'],
    parts: differing((diff) => {
      const { divergedAtSeq: at } = diff;
      return typeof at === 'number' ? { ...diff, divergedAtSeq: at + 1 } : diff;
    }),
  },
  'diff-leaves-out-the-first': {
    breaks:
      'The :diff endpoint does not list the first event in which two runs part, and says that they do so at the next.',
    kills: ['diff.first-divergence'],
    parts: differing((diff) => {
      const [, ...eventDiffs] = Array.isArray(diff['eventDiffs']) ? (diff['eventDiffs'] as readonly unknown[]) : [];
      return eventDiffs.length === 0 ? diff : { ...diff, divergedAtSeq: member(eventDiffs[0], 'seq'), eventDiffs };
    }),
  },
  'diff-moves-events': {
    breaks: 'The :diff endpoint calls what it lists by names of its own.',
    kills: ['diff.first-divergence'],
    parts: listingEach((each) => ({ ...each, op: 'moved' })),
  },
  'diff-counts-entries-from-one': {
    breaks: 'The :diff endpoint numbers what it lists one higher than the events that it shows there.',
    kills: ['diff.first-divergence'],
    parts: listingEach((each) => ({ ...each, seq: Number(each['seq']) + 1 })),
  },
  'diff-names-the-last': {
    breaks: 'The :diff endpoint names the last difference of two runs in the place of the first.',
    kills: ['diff.first-divergence'],
    parts: differing((diff) => {
      const { eventDiffs } = diff;
      const last: unknown = Array.isArray(eventDiffs) ? eventDiffs.at(-1) : undefined;
      return isObject(last) ? { ...diff, divergedAtSeq: last['seq'] } : diff;
    }),
  },
  'diff-lists-and-says-none': {
    breaks: 'The :diff endpoint lists other ids and clocks as changes, and says that the runs do not part.',
    kills: ['diff.first-divergence'],
    parts: differing((diff, isSame) => {
      const listed = isSame || diff['divergedAtSeq'] !== null ? diff['eventDiffs'] : [{ seq: 0, op: 'changed' }];
      return { ...diff, eventDiffs: listed ?? [] };
    }),
  },
  'diff-lists-nothing': {
    breaks: 'The :diff endpoint names the first difference of two runs and lists none.',
    kills: ['diff.first-divergence'],
    parts: differing((diff) => ({ ...diff, eventDiffs: [] })),
  },
  'diff-lacks-the-last': {
    breaks: 'The :diff endpoint leaves out the last difference of two runs where there are several.',
    kills: ['diff.first-divergence'],
    parts: differing((diff) => {
      const { eventDiffs } = diff;
      const isLong = Array.isArray(eventDiffs) && eventDiffs.length > 1;
      return isLong ? { ...diff, eventDiffs: eventDiffs.slice(0, -1) } : diff;
    }),
  },
  'diff-swaps-events': {
    breaks: "The :diff endpoint shows the one run's event as the other's.",
    kills: ['diff.first-divergence'],
    parts: listingEach(({ aEvent = null, bEvent = null, ...each }) => ({ ...each, aEvent: bEvent, bEvent: aEvent })),
  },
  'diff-adds-to-both': {
    breaks: 'The :diff endpoint calls each event that changed one that was added, and shows it in both runs.',
    kills: ['diff.first-divergence'],
    parts: differing((diff) => {
      const { eventDiffs } = diff;
      const listed = Array.isArray(eventDiffs) ? eventDiffs.filter(isObject) : [];
      return { ...diff, eventDiffs: listed.map((each) => ({ ...each, op: 'added' })) };
    }),
  },
};
