import type { Report } from '../contract/report.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderTerminal, type RenderOptions } from './terminal.ts';

/** A report format: pure from the report to its text. */
export type Renderer = (report: Report, options: RenderOptions) => string;

/** The formats of `--reporter`, by name. */
export const RENDERERS: ReadonlyMap<string, Renderer> = new Map<string, Renderer>([
  ['terminal', renderTerminal],
  ['json', renderJson],
  ['junit', renderJunit],
]);
