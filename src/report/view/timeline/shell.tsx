import type { Child } from 'hono/jsx';
import { SCRIPT_PATH, STYLE_PATH } from './links.ts';

interface Props {
  readonly title: string;
  /** Whether the caller has to give a credential; a record needs none. */
  readonly needsCredential: boolean;
  /** Whether the content is what the address stands for: otherwise the script asks for it. */
  readonly isWhole: boolean;
  readonly children?: Child;
}

/** The page around every content: a header, the form for the credential and the content. */
export function Shell({ title, needsCredential, isWhole, children }: Props) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={STYLE_PATH} />
        <script src={SCRIPT_PATH} defer></script>
      </head>
      <body {...(needsCredential ? { 'data-needs-credential': '' } : {})} {...(isWhole ? { 'data-whole': '' } : {})}>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="top">
          <a href="/" class="home">
            Run Timeline
          </a>
          <span id="live" role="status"></span>
          {needsCredential ? (
            <button type="button" id="sign-out" hidden>
              Sign out
            </button>
          ) : (
            <span class="muted">recorded, without a host</span>
          )}
        </header>
        <main>
          {needsCredential ? <SignIn isShown={!isWhole} /> : null}
          <div id="content" tabindex={-1}>
            {children}
          </div>
        </main>
      </body>
    </html>
  );
}

function SignIn({ isShown }: { readonly isShown: boolean }) {
  return (
    <form id="sign-in" class="panel" method="post" hidden={!isShown}>
      <h1>Sign in</h1>
      <p>
        The view reads the host's API with your API key. It stays in this tab, and is gone when you close it or sign
        out.
      </p>
      <p>
        <label for="credential">API key</label>{' '}
        <input id="credential" type="password" autocomplete="off" spellcheck={false} required />{' '}
        <button type="submit" class="strong">
          Sign in
        </button>
      </p>
      <p role="alert" class="problem" id="sign-in-problem"></p>
      <noscript>
        <p>
          A browser without scripts sends no API key. Elsewhere:{' '}
          <code>curl -H "authorization: Bearer $OPENWOP_API_KEY"</code> and this address give the whole page.
        </p>
      </noscript>
    </form>
  );
}

/** What stands in the place of a content that was refused. */
export function Refused({ status, message }: { readonly status: number; readonly message: string }) {
  return (
    <div class="panel bad" data-status={status}>
      <h1>
        {status === 404
          ? 'Not found'
          : status === 401
            ? 'A credential is needed'
            : status === 403
              ? 'Not allowed'
              : 'This cannot be shown'}
      </h1>
      <p>{message}</p>
      <p>
        <a href="/">All runs</a>
      </p>
    </div>
  );
}
