import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { PropsWithChildren } from 'hono/jsx';
import { REPORT_STYLE } from './style.ts';

type Props = PropsWithChildren<{
  readonly title: string;
  /** The page's one script; none where absent. */
  readonly script?: string;
}>;

/** A page for browsers that works from disk and asks for nothing: its style and its script are named by their digests. */
export function Document({ title, script, children }: Props) {
  const policy = [
    "default-src 'none'",
    `style-src '${digestOf(REPORT_STYLE)}'`,
    ...(script === undefined ? [] : [`script-src '${digestOf(script)}'`]),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <style>{raw(REPORT_STYLE)}</style>
      </head>
      <body>
        {children}
        {script === undefined ? null : <script>{raw(script)}</script>}
      </body>
    </html>
  );
}

/** The text of a whole page. */
export function documentText(page: object): string {
  return `<!doctype html>\n${textOf(page)}\n`;
}

/** What browsers run and style by, or where a pipeline's command may begin: whoever prints a page lets a runner read it. */
const CODE_OR_COMMAND = /<(?<name>style|script)>[^]*?<\/\k<name>>|::|##(?=[\w.-]*\[)/gu;

/** The text of a part of a page, of which no component waits for anything. What a runner would obey is written as references. */
export function textOf(element: object): string {
  // oxlint-disable-next-line typescript/no-base-to-string
  const html = element.toString();
  return html.replace(CODE_OR_COMMAND, (found) => (found === '::' ? ':&#58;' : found === '##' ? '#&#35;' : found));
}

function digestOf(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`;
}
