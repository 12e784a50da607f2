import type { Child } from 'hono/jsx';
import { eventPage, forkPage } from './links.ts';
import type { RunHead, StateChange, TimelineEvent } from './model.ts';
import { StateDiff } from './states.tsx';
import { text, Time } from '../text.tsx';
import { JsonTree, type TreeBudget } from '../tree.tsx';

interface Props {
  readonly run: RunHead;
  readonly event: TimelineEvent;
  readonly lanes: readonly string[];
  readonly budget: TreeBudget;
  readonly isOpen: boolean;
  readonly children?: Child;
}

/** One event: a line that unfolds, and the deep links that fork from it. */
export function EventRow({ run, event, lanes, budget, isOpen, children }: Props) {
  const { sequence, type, nodeId, change } = event;
  return (
    <li id={`e${sequence}`} class={isOpen ? 'event chosen' : 'event'} {...(isOpen ? { 'aria-current': 'true' } : {})}>
      <details open={isOpen}>
        <summary>
          <span class="dots" aria-hidden="true">
            {lanes.map((_, lane) => (
              <span class={dotClass(event, lane)}>{lane === event.lane ? '●' : ''}</span>
            ))}
          </span>
          <span class="seq">{sequence}</span>
          <span class="offset">{event.offsetMs === undefined ? '' : `+${event.offsetMs} ms`}</span>
          <span class="type">{text(type, 60)}</span>
          <span class="node">{nodeId === undefined ? '' : text(nodeId, 60)}</span>
          <span class="what">{change === undefined ? '' : brief(change)}</span>
        </summary>
        <div class="inside">
          <h2>Payload</h2>
          <JsonTree value={event.payload} budget={budget} />
          <h2>State</h2>
          {change === undefined ? (
            <p class="muted">This event changes nothing.</p>
          ) : (
            <StateDiff change={change} budget={budget} />
          )}
          {children}
          <h2>Event</h2>
          <dl class="facts">
            <div>
              <dt>Id</dt>
              <dd class="id">{text(event.eventId, 120)}</dd>
            </div>
            <div>
              <dt>Time</dt>
              <dd>
                <Time at={event.timestamp} />
              </dd>
            </div>
            {event.causationId === undefined ? null : (
              <div>
                <dt>Caused by</dt>
                <dd class="id">
                  <a href={eventPage(run.runId, event.causationId)}>{text(event.causationId, 120)}</a>
                </dd>
              </div>
            )}
          </dl>
        </div>
      </details>
      <span class="acts">
        <a href={eventPage(run.runId, event.eventId)} aria-label={`Address of event ${sequence}`}>
          #
        </a>
        <a
          href={forkPage({ runId: run.runId, mode: 'replay', fromSeq: sequence })}
          aria-label={`Replay from ${sequence}`}
        >
          replay
        </a>
        <a
          href={forkPage({ runId: run.runId, mode: 'branch', fromSeq: sequence })}
          aria-label={`Branch from ${sequence}`}
        >
          branch
        </a>
      </span>
    </li>
  );
}

function dotClass({ lane: own, active }: TimelineEvent, lane: number): string {
  return `dot lane-${lane}${active.includes(lane) || lane === own ? ' on' : ''}`;
}

function brief({ place, after }: StateChange): string {
  return `${text(place, 40)} = ${text(JSON.stringify(after) ?? 'nothing', 60)}`;
}
