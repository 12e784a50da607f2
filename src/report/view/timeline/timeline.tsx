import type { Child } from 'hono/jsx';
import { EventRow } from './event-row.tsx';
import { eventPage, forkPage, listPage, runPage } from './links.ts';
import type { EventFilter, RunHead as Head, Timeline as Shown } from './model.ts';
import { StatesAround } from './states.tsx';
import { Fact } from '../table.tsx';
import { Status, text, Time } from '../text.tsx';
import type { TreeBudget } from '../tree.tsx';

/** Nodes of all payload trees on one page. */
const MOST_NODES = 12_000;

/** A run as a timeline: lanes by node, its events in order, each with its payload, its change of state and its forks. */
export function Timeline({ timeline, children }: { readonly timeline: Shown; readonly children?: Child }) {
  const { run, events, last, isLive, opened } = timeline;
  const budget: TreeBudget = { left: MOST_NODES };
  return (
    <div id="run" data-run={run.runId} data-last={last} {...(isLive ? { 'data-live': '' } : {})}>
      <RunTitle timeline={timeline} />
      {children}
      <Controls timeline={timeline} />
      {timeline.unreadable === undefined ? null : (
        <p class="problem">The log cannot be read: {text(timeline.unreadable, 300)}</p>
      )}
      {timeline.notFound === undefined ? null : (
        <p class="problem" role="status">
          The log has no event {text(timeline.notFound, 120)}.
        </p>
      )}
      <Pages timeline={timeline} />
      <div class="scroll" tabindex={0} role="region" aria-label="Events">
        <Lanes lanes={timeline.lanes} />
        {events.length === 0 ? <p class="empty">No event.</p> : null}
        <ol class="events" id="events">
          {events.map((event) => (
            <EventRow
              run={run}
              event={event}
              lanes={timeline.lanes}
              budget={budget}
              isOpen={opened?.sequence === event.sequence}
            >
              {opened?.sequence === event.sequence ? <StatesAround opened={opened} budget={budget} /> : null}
            </EventRow>
          ))}
        </ol>
      </div>
      <Pages timeline={timeline} />
    </div>
  );
}

function RunTitle({ timeline: { run, total, isLive } }: { readonly timeline: Shown }) {
  return (
    <div class="head" id="run-head">
      <h1>{text(run.workflowId ?? 'Run', 120)}</h1>
      <p class="id">{text(run.runId, 120)}</p>
      {run.label === undefined ? null : <p class="muted">{text(run.label, 160)}</p>}
      <dl class="facts">
        <Fact name="Status">
          <Status status={run.status} />
        </Fact>
        <Fact name="Events">{`${total}${isLive ? ', live' : ''}`}</Fact>
        <Fact name="Started">
          <Time at={run.startedAt} />
        </Fact>
        <Fact name="Ended">
          <Time at={run.completedAt} />
        </Fact>
        {run.error === undefined ? null : <Fact name="Error">{text(run.error, 400)}</Fact>}
        {run.parentRunId === undefined ? null : <Parent run={run} parentRunId={run.parentRunId} />}
        {run.children.length === 0 ? null : <Children run={run} />}
      </dl>
    </div>
  );
}

function Parent({ run, parentRunId }: { readonly run: Head; readonly parentRunId: string }) {
  const from = run.fromSeq === undefined ? '' : ` from sequence ${run.fromSeq}`;
  return (
    <Fact name="Made of">
      <a href={runPage(parentRunId)} class="id">
        {text(parentRunId, 80)}
      </a>
      , {text(run.forkMode ?? 'child', 20)}
      {from} · <a href={runPage(run.runId, { against: parentRunId })}>compare the two</a>
    </Fact>
  );
}

function Children({ run }: { readonly run: Head }) {
  return (
    <Fact name="Forks">
      <ul class="plain">
        {run.children.map((child) => (
          <li>
            <a href={runPage(child.runId)} class="id">
              {text(child.runId, 80)}
            </a>{' '}
            {text(child.forkMode ?? 'child', 20)}
            {child.fromSeq === undefined ? '' : ` from ${child.fromSeq}`} · <Status status={child.status} /> ·{' '}
            <a href={runPage(child.runId, { against: run.runId })}>compare</a>
          </li>
        ))}
      </ul>
      <a href={listPage({ parentRunId: run.runId })}>in the list</a>
    </Fact>
  );
}

function Controls({ timeline: { run, filter, choices, matching, total, last } }: { readonly timeline: Shown }) {
  return (
    <div class="bar">
      <form method="get" action={runPage(run.runId)} data-go data-instant>
        <Choice name="node" label="Node" values={choices.nodes} chosen={filter.node} />
        <Choice name="kind" label="Kind" values={choices.kinds} chosen={filter.kind} />
        <Choice name="type" label="Type" values={choices.types} chosen={filter.type} />
        <button type="submit">Filter</button>
        {isFiltered(filter) ? (
          <>
            {' '}
            <a href={runPage(run.runId)}>All {total} events</a>{' '}
            <span role="status">
              {matching} of {total}
            </span>
          </>
        ) : null}
      </form>
      <form method="get" action={runPage(run.runId)} data-go>
        <label for="jump">Jump to</label>
        <input id="jump" name="at" size={18} placeholder="sequence or event id" required autocomplete="off" />
        <button type="submit">Jump</button>
      </form>
      {last === undefined ? null : (
        <span class="links">
          <a href={forkPage({ runId: run.runId, mode: 'replay', fromSeq: 0 })}>Replay the whole run</a>{' '}
          <a href={eventPage(run.runId, last)}>Last event</a>
        </span>
      )}
    </div>
  );
}

function isFiltered({ node, kind, type }: EventFilter): boolean {
  return [node, kind, type].some((value) => value !== undefined);
}

function Choice({ name, label, values, chosen }: ChoiceProps) {
  const all = chosen === undefined || values.includes(chosen) ? values : [chosen, ...values];
  return (
    <span>
      <label for={`filter-${name}`}>{label}</label>{' '}
      <select name={name} id={`filter-${name}`}>
        <option value="">any</option>
        {all.map((value) => (
          <option value={value} selected={value === chosen}>
            {text(value, 60)}
          </option>
        ))}
      </select>
    </span>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly chosen: string | undefined;
}

function Pages({ timeline: { run, pages, filter } }: { readonly timeline: Shown }) {
  const { before, after } = pages;
  if (before === undefined && after === undefined) return null;
  const page = (from: number): string => runPage(run.runId, { ...filter, from });
  return (
    <p class="pages">
      {before === undefined ? null : <a href={page(before)}>Earlier events</a>}{' '}
      {after === undefined ? null : <a href={page(after)}>Later events</a>}
    </p>
  );
}

/** The names above the lanes; each row says its node in words as well. */
function Lanes({ lanes }: { readonly lanes: readonly string[] }) {
  return (
    <div class="lanes" aria-hidden="true">
      {lanes.map((lane, index) => (
        <span class={`lane lane-${index}`}>
          <span class="lane-name">{text(lane, 24)}</span>
        </span>
      ))}
    </div>
  );
}
