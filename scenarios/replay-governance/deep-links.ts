import { runTimeline } from '../../src/contract/gates.ts';
import { listed } from '../../src/contract/listed.ts';
import { fail, idsOf, isOutcome, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { bounds, eventsOf } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import type { RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { forkPoints, replayOf, replays } from '../shared/replays.ts';
import { offersMode } from '../shared/run-observation.ts';
import { allPass } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { needed } from './needed.ts';
import {
  type ListedObservation,
  type NamedRequest,
  type PageObservation,
  readForkList,
  readPage,
  timelinePath,
} from './timeline-pages.ts';

const ROW = 'timeline.deep-links';
const ROLES = { source: 'source', control: 'replay by a request' } as const;

type RecordedPage = Recorded<PageObservation>;

/** Judges that the view leads to the replay endpoint for an event (replay.md, Run Timeline View). */
function judgeLinks(recorded: Recordings): Outcome {
  const runs = needed(recorded, ROLES.source);
  if (isOutcome(runs)) return runs;
  const pages = ofType<PageObservation>(recorded, 'timeline-page');
  if (pages.length === 0) return undecidedUntil(advertise(pages), 'no page of the view is advertised', [runs.source]);
  if (!pages.some(isDeep)) return judgePages(pages);
  // Of the other pages no more is asked than that there are any: how they lead to a deep link is left open.
  const { first } = bounds(runs.source);
  return allPass(pages.flatMap((page) => (isDeep(page) ? judgeLink(page, first) : (withoutPage(page) ?? []))));
}

/** Where no deep link is advertised either page may have one: of the run, or of an event. */
function judgePages(pages: readonly RecordedPage[]): Outcome {
  const outcomes = pages.map((page) => judgePage(page, pages));
  return (
    outcomes.find(({ kind }) => kind === 'pass') ?? outcomes.find(({ kind }) => kind !== 'fail') ?? allPass(outcomes)
  );
}

function isDeep({ link }: PageObservation): boolean {
  return link === 'fork';
}

const ADVERTISE = 'advertise fork in extensions/x-openwop-run-timeline (docs/seams.md)';

/** What is left to advertise beside the pages of a run and an event. */
function advertise(pages: readonly RecordedPage[]): string {
  return pages.length < 2 ? ADVERTISE.replace('fork', 'fork, or run and event,') : ADVERTISE;
}

/** The page of a deep link names its own request: the host promises so by advertising it (docs/seams.md). */
function judgeLink(page: RecordedPage, first: number): Outcome {
  const { wanted, requests, namesEndpoint, runId } = page;
  const left = withoutPage(page);
  if (left !== undefined || wanted === null) return left ?? undecided('the deep link was made for no event', [page]);
  const [expected, at] = [`POST ${forkPath(runId)} with ${textOf(wanted)} in the markup`, `at GET ${page.path ?? ''}`];
  const isNamed = requests.some(({ mode, fromSeq }) => mode === wanted.mode && fromSeq === wanted.fromSeq);
  // replay.md, Replay-mode defaults: a replay from the first event may be written without fromSeq.
  const isDefault = wanted.mode === 'replay' && wanted.fromSeq === first && requests.length === 0;
  if (namesEndpoint && (isNamed || isDefault)) return pass([page]);
  if (namesEndpoint && requests.length === 0) {
    const step = 'write the request as JSON, or as the fields mode and fromSeq of a form';
    return undecidedUntil(step, `the markup ${at} names the endpoint, and no request that can be read`, [page]);
  }
  if (!namesEndpoint) {
    const actual = `${isNamed ? 'the request, and not where it is sent' : 'neither the endpoint nor this request'} ${at}`;
    return fail({ expected, actual, diagnosis: wrong('deep-link-missing') }, [page]);
  }
  const actual = `${requests.slice(0, 5).map(textOf).join(' and ')} ${at}`;
  return fail({ expected, actual, diagnosis: wrong('deep-link-elsewhere') }, [page]);
}

/** What a script may add is nothing that can be seen here, and no more is what stands on a page that was not read. */
function judgePage(page: RecordedPage, pages: readonly RecordedPage[]): Outcome {
  const { link, requests, namesEndpoint, hasScript, showsEvent, linksOn, linksToFork } = page;
  const left = withoutPage(page);
  if (left !== undefined) return left;
  if (namesEndpoint || requests.length > 0) return pass([page], `the ${link}’s page names the request`);
  if (hasScript || !showsEvent) {
    return undecidedUntil(advertise(pages), `the markup of ${page.path ?? ''} names no fork, which a script may do`, [
      page,
    ]);
  }
  const isRead = pages.some((each) => each.link === 'event');
  if (linksToFork === true || (linksOn === true && !isRead)) {
    return undecidedUntil(
      advertise(pages),
      `GET ${page.path ?? ''} names no fork, and leads to pages that were not read`,
      [page],
    );
  }
  return fail(
    {
      expected: `a deep link to the replay endpoint for an event of ${page.runId}`,
      actual: `none at ${pages.map(({ path }) => `GET ${path ?? ''}`).join(' and ')}, with the event and without a script`,
      diagnosis: wrong('deep-link-missing'),
    },
    pages,
  );
}

/** People may have to sign in otherwise than programs do: a page that is not given decides nothing. */
function withoutPage(page: RecordedPage): Outcome | undefined {
  const step = 'answer GET of what is advertised with HTML under the API’s credential';
  return page.problem === null ? undefined : undecidedUntil(step, page.problem, [page]);
}

function textOf({ mode, fromSeq }: NamedRequest): string {
  return JSON.stringify({ fromSeq, mode });
}

/** Judges that looking at the view's pages made no fork; the fork that a request has made afterwards has to be listed. */
function judgeLooking(recorded: Recordings): Outcome {
  const runs = needed(recorded, ROLES.source);
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const pages = ofType<PageObservation>(recorded, 'timeline-page');
  const looked = pages.filter(({ problem }) => problem === null);
  const unseen = looked.some(isDeep) ? undefined : withoutLink(pages.find(isDeep) ?? source);
  if (looked.length === 0 && unseen !== undefined) return unseen;
  const [list] = ofType<ListedObservation>(recorded, 'timeline-list');
  if (list === undefined) return undecidedUntil(LIST, 'nothing shows which forks a run has', [source, ...looked]);
  if (list.problem !== null) return undecidedUntil(LIST, list.problem, [list]);
  const control = ofType<{ readonly runId: string | null } & Observation>(recorded, 'run').find(
    (run) => run.id !== source.id,
  );
  const others = list.children.filter((runId) => runId !== control?.runId);
  const evidence = [list, ...looked, source];
  // A fork whose answer does not name it is one of the others.
  const unnamed = others.length < list.children.length ? 0 : 1;
  if (others.length > unnamed) {
    const expected = `no fork of ${source.runId ?? ''} but that of the request`;
    const actual = `${others.length - unnamed} more after GET of ${looked.map(({ path }) => path ?? '').join(' and ')}: ${listed(others, 5)}`;
    const steps = idsOf([list, ...looked]).concat(list.id);
    return fail({ expected, actual, diagnosis: wrong('forked-by-looking'), steps }, evidence);
  }
  if (unseen !== undefined) return unseen;
  const made = needed(recorded, ROLES.control);
  if (isOutcome(made)) return made;
  if (unnamed === 0) return pass([...evidence, made[ROLES.control]]);
  return undecidedUntil('list forks with their parentRunId', 'the list does not show the fork that was made', evidence);
}

/** What is left where no deep link was looked at: its page is not given, or none is advertised. */
function withoutLink(seen: RecordedPage | RecordedRun): Outcome {
  return (
    (seen.type === 'timeline-page' ? withoutPage(seen) : undefined) ??
    undecidedUntil(ADVERTISE, 'no deep link was looked at', [seen])
  );
}

const LIST = 'advertise runs, a list that ?parentRunId= narrows (docs/seams.md)';

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, ROLES.source);
  const { runId } = source;
  if (runId === null || source.problem !== null) return [source];
  const points = forkPoints(source, [], 2);
  const page = (link: PageObservation['link'], wanted: NamedRequest | null): Promise<PageObservation> => {
    const event = eventsOf(source).find(({ sequence }) => sequence === (wanted?.fromSeq ?? points[0]));
    return readPage(probe, { link, runId, eventId: event?.eventId ?? '', wanted });
  };
  const observations: Observation[] = [source];
  if (timelinePath(probe, 'fork', {}) !== undefined) {
    const modes = offersMode(probe.discovery, 'branch') ? (['replay', 'branch'] as const) : (['replay'] as const);
    const { first } = bounds(source);
    const asked = modes.map((mode, index) => ({ mode, fromSeq: points[index] ?? points[0] ?? first }));
    // A link for any event: for the first one, too, whose number may count as none.
    const isAsked = asked.some(({ mode, fromSeq }) => mode === 'replay' && fromSeq === first);
    const more = isAsked ? [] : [{ mode: 'replay', fromSeq: first }];
    for (const wanted of [...asked, ...more]) observations.push(await page('fork', wanted));
  }
  for (const link of ['run', 'event'] as const) {
    if (timelinePath(probe, link, {}) !== undefined) observations.push(await page(link, null));
  }
  observations.push(await replayOf(probe, source, bounds(source).first, { role: ROLES.control }));
  const list = await readForkList(probe, runId);
  return list === undefined ? observations : [...observations, list];
}

/** replay.md, Run Timeline View: one that exists leads to the replay endpoint. */
export const deepLinks = defineScenario({
  suite: 'replay-governance',
  id: ROW,
  title: 'A Run Timeline View leads to the replay endpoint for an event',
  gate: runTimeline,
  needs: [replays],
  drive,
  checks: [
    {
      id: ROW,
      title: 'The deep link of an event shows the request that forks from it',
      judge: judgeLinks,
    },
    {
      id: `${ROW}.looking`,
      title: 'Nobody forks a run by looking at a deep link',
      judge: judgeLooking,
    },
  ],
});
