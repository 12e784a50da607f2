import { eventPage, forkPage, forkPath, runPage } from './links.ts';
import type { ForkDraft } from './model.ts';
import { text } from '../text.tsx';

/** The request behind a deep link: shown as it would be sent, and sent by a click alone. */
export function ForkRequest({ draft, canFork, baseUrl }: Props) {
  const { runId, mode, fromSeq } = draft;
  const path = forkPath(runId);
  const body = JSON.stringify({ fromSeq, mode, ...(mode === 'branch' ? { runOptionsOverlay: {} } : {}) });
  const other = mode === 'replay' ? 'branch' : 'replay';
  return (
    <section class="panel fork" aria-labelledby="fork-title">
      <h2 id="fork-title">
        {mode === 'replay' ? 'Replay' : 'Branch'} from sequence {fromSeq}
      </h2>
      <p>
        {mode === 'replay'
          ? 'Events below this sequence are kept as they are; from it on the run is executed again, without new options.'
          : 'Events below this sequence are kept as they are; from it on the run goes on as a run of its own, with the options below.'}{' '}
        Nothing has been sent yet. <a href={forkPage({ ...draft, mode: other })}>Make it a {other}</a>,{' '}
        <a href={eventPage(runId, fromSeq)}>show the event</a> or <a href={runPage(runId)}>leave it</a>.
      </p>
      <pre class="request" tabindex={0} aria-label="The request">
        {`POST ${text(path, 400)}\ncontent-type: application/json\n\n${body}`}
      </pre>
      {canFork ? <Send draft={draft} path={path} /> : <Recorded path={path} body={body} baseUrl={baseUrl} />}
    </section>
  );
}

interface Props {
  readonly draft: ForkDraft;
  /** Whether there is a host behind the page. */
  readonly canFork: boolean;
  /** Where a recorded run came from. */
  readonly baseUrl?: string | undefined;
}

function Send({ draft, path }: { readonly draft: ForkDraft; readonly path: string }) {
  return (
    <form method="post" data-fork={path} data-mode={draft.mode} data-from-seq={draft.fromSeq}>
      {draft.mode === 'branch' ? (
        <p>
          <label for="overlay">Run options to lay over the source's (runOptionsOverlay, JSON)</label>
          <textarea id="overlay" rows={5} spellcheck={false} autocomplete="off">
            {'{}'}
          </textarea>
        </p>
      ) : null}
      <button type="submit" class="strong">
        Send this request
      </button>
      <p role="alert" class="problem" data-problem></p>
    </form>
  );
}

function Recorded({
  path,
  body,
  baseUrl = 'https://host.example',
}: {
  readonly path: string;
  readonly body: string;
  readonly baseUrl?: string | undefined;
}) {
  const command = `curl -sS -X POST '${baseUrl.replaceAll("'", '%27')}${path}' -H "authorization: Bearer $OPENWOP_API_KEY" -H 'content-type: application/json' --data-raw '${body}'`;
  return (
    <>
      <p>This is a record without a host. Where the host still has the run, this command sends the request:</p>
      <pre class="request" tabindex={0} aria-label="The command">
        {text(command, 2000)}
      </pre>
    </>
  );
}
