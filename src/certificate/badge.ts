import { limitsOf, type Limited } from '../contract/limits.ts';
import type { Report } from '../contract/report.ts';

/** What of a report, or of a certificate, says what was judged. */
type JudgedRun = Limited &
  Pick<Report, 'verdict'> & { readonly suites: readonly Pick<Report['suites'][number], 'id' | 'verdict'>[] };

/** Names that a badge holds of one list. */
const NAMED = 3;

/** `conformant in discovery, shard 1 of 3`: the verdict with what was asked for and what was left out, short enough for a badge. */
function badgeText({ excluded = [], ...run }: JudgedRun): string {
  const limits = limitsOf({ ...run, excluded: few(excluded) }).map(({ what }) => `, ${what}`);
  return `${run.verdict}${within(few(requestedIn(run)))}${limits.join('')}`;
}

/** The same with all names, and the suites of which nothing was judged. */
export function judgedText(run: JudgedRun): string {
  const limits = limitsOf(run).map(({ what, more }) => `, ${what}${more}`);
  const left = run.suites.filter(({ verdict }) => verdict === 'not-judged').map(({ id }) => id);
  const notJudged = left.length === 0 ? '' : `; not judged: ${left.join(', ')}`;
  return `${run.verdict}${within(requestedIn(run))}${limits.join('')}${notJudged}`;
}

function within(names: readonly string[]): string {
  return names.length === 0 ? '' : ` in ${names.join(', ')}`;
}

/** What a run was asked for alone: suites, scenarios, requirements. Evidence may hold anything there. */
function requestedIn({ options }: JudgedRun): readonly string[] {
  const names = options['lastFailed'] === true ? ['suite', 'requirements'] : ['suite', 'scenario', 'requirements'];
  const requested = names.flatMap((name): readonly unknown[] => {
    const value = options[name];
    return Array.isArray(value) ? value : [];
  });
  return requested.map((name) => (typeof name === 'string' && /^[\w.-]{1,100}$/u.test(name) ? name : '?'));
}

function few(names: readonly string[]): readonly string[] {
  const more = names.length - NAMED;
  return more > 0 ? [...names.slice(0, NAMED - 1), `${more + 1} more`] : names;
}

const LABEL = 'openwop';
const COLORS: Readonly<Record<Report['verdict'], string>> = {
  conformant: '#1a7f37',
  'non-conformant': '#b42318',
  inconclusive: '#8a6100',
  error: '#6e3630',
};
/** Pixels of a character, about. */
const WIDTH = 7;
const MARGIN = 12;

/** A badge as SVG, with its text for those who do not see it. It holds nothing of the host's. */
export function badgeSvg(run: JudgedRun): string {
  const message = badgeText(run);
  const [left, right] = [LABEL, message].map((text) => text.length * WIDTH + MARGIN) as [number, number];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${message}">
<title>${LABEL}: ${message}</title>
<rect width="${left}" height="20" fill="#333"/><rect x="${left}" width="${right}" height="20" fill="${COLORS[run.verdict]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${centred(left / 2, LABEL)}${centred(left + right / 2, message)}</g>
</svg>
`;
}

function centred(x: number, text: string): string {
  return `<text x="${x}" y="14" text-anchor="middle">${text}</text>`;
}

/** The same as a JSON file that makers of badges read. */
export function badgeEndpoint(run: JudgedRun): string {
  const document = { schemaVersion: 1, label: LABEL, message: badgeText(run), color: COLORS[run.verdict] };
  return `${JSON.stringify(document)}\n`;
}
