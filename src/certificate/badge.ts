import type { Report } from '../contract/report.ts';
import { badgeText, type JudgedRun } from './judged.ts';

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
