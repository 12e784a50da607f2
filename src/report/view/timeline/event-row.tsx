import type { Child } from 'hono/jsx';
import { eventPage, forkPage } from './links.ts';
import type { RunHead, StateChange, TimelineEvent } from './model.ts';
import { StateDiff } from './states.tsx';
import { Fact } from '../table.tsx';
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
            <Fact name="Id" isId>
              {text(event.eventId, 120)}
            </Fact>
            <Fact name="Time">
              <Time at={event.timestamp} />
            </Fact>
            {event.causationId === undefined ? null : (
              <Fact name="Caused by" isId>
                <a href={eventPage(run.runId, event.causationId)}>{text(event.causationId, 120)}</a>
              </Fact>
            )}
          </dl>
        </div>
      </details>
      <span class="acts">
        <a href={eventPage(run.runId, event.eventId)} aria-label={`Address of event ${sequence}`}>
          #
        </a>
        {(['replay', 'branch'] as const).map((mode) => (
          <a
            href={forkPage({ runId: run.runId, mode, fromSeq: sequence })}
            aria-label={`${mode === 'replay' ? 'Replay' : 'Branch'} from ${sequence}`}
          >
            {mode}
          </a>
        ))}
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
