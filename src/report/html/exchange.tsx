import { curlCommand } from '../../evidence/curl.ts';
import type { BodyRecord, ExchangeRecord } from '../../evidence/types.ts';
import { text } from '../view/text.tsx';
import { cut } from '../../evidence/cut.ts';

/** A command that is longer is left out: cut, it would be another one. */
const COMMAND_CHARACTERS = 2000;
/** Characters of a body that are shown. */
const BODY_CHARACTERS = 3000;
const HEADERS = 40;
/** Exchanges that one check shows. */
const MOST = 12;

/** The requests behind a check, in their order, each with its answer. */
export function Exchanges({ all }: { readonly all: readonly ExchangeRecord[] }) {
  if (all.length === 0) return null;
  // What led there and what came of it; what lies between is in the evidence.
  const shown = all.length <= MOST ? all : [...all.slice(0, MOST / 2), ...all.slice(-MOST / 2)];
  const left = all.length - shown.length;
  return (
    <details class="block" open={all.length <= 3}>
      <summary>
        {all.length} {all.length === 1 ? 'exchange' : 'exchanges'}
        {left === 0 ? '' : `, ${left} of them in the evidence file alone`}
      </summary>
      <ol class="exchanges">
        {shown.map((exchange) => (
          <Exchange exchange={exchange} />
        ))}
      </ol>
    </details>
  );
}

function Exchange({ exchange }: { readonly exchange: ExchangeRecord }) {
  const { id, request, answer, startedAt, durationMs } = exchange;
  const again = curlCommand(exchange, { options: {} }) ?? '';
  return (
    <li>
      <details>
        <summary>
          <span class="id muted">{id}</span> <strong>{text(request.method, 10)}</strong>{' '}
          <code>{text(pathOf(request.url), 300)}</code>{' '}
          {answer.kind === 'response' ? (
            <span class="code">{`→ ${answer.status}`}</span>
          ) : (
            <span class="code problem">{`→ ${answer.reason}`}</span>
          )}{' '}
          <span class="muted">{`${durationMs} ms`}</span>
        </summary>
        <div class="sides">
          <div class="side">
            <p class="muted">
              request · <time datetime={startedAt}>{text(startedAt, 40)}</time>
            </p>
            <Headers headers={request.headers} />
            <Body body={request.body} />
            {again === '' || again.length > COMMAND_CHARACTERS ? null : (
              <pre class="command">{text(again, again.length)}</pre>
            )}
          </div>
          <div class="side">
            <p class="muted">answer</p>
            {answer.kind === 'response' ? (
              <>
                <Headers headers={answer.headers} />
                <Body body={answer.body} />
              </>
            ) : (
              <p class="problem">{text(answer.message, 300)}</p>
            )}
          </div>
        </div>
      </details>
    </li>
  );
}

function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url);
    return pathname + search;
  } catch {
    return url;
  }
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const all = Object.entries(headers);
  if (all.length === 0) return null;
  return (
    <pre class="headers">
      {all
        .slice(0, HEADERS)
        .map(([name, value]) => `${text(name, 100)}: ${text(value, 300)}`)
        .join('\n')}
    </pre>
  );
}

function Body({ body }: { readonly body: BodyRecord | undefined }) {
  if (body === undefined || body.bytes === 0) return <p class="muted">no body</p>;
  const shown = cut(body.text, BODY_CHARACTERS).toWellFormed();
  const isCut = body.truncated || shown.length < body.text.length;
  return (
    <>
      <pre class="body">{lines(isCut ? shown : indented(body.text))}</pre>
      {isCut ? <p class="muted">{`cut; ${body.bytes} bytes, SHA-256 ${text(body.sha256, 64)}`}</p> : null}
    </>
  );
}

function indented(json: string): string {
  try {
    const laidOut = JSON.stringify(JSON.parse(json), null, 2);
    return laidOut.length <= 2 * BODY_CHARACTERS ? laidOut : json;
  } catch {
    return json;
  }
}

/** Line ends stay, all else that is hidden is shown. */
function lines(body: string): string {
  return body
    .split('\n')
    .map((line) => text(line, 2 * BODY_CHARACTERS))
    .join('\n');
}
