import type { Child } from 'hono/jsx';

/** A heading's level on its page. */
export type Level = 1 | 2 | 3 | 4 | 5 | 6;

const TAGS = { 1: 'h1', 2: 'h2', 3: 'h3', 4: 'h4', 5: 'h5', 6: 'h6' } as const;

/** A heading of a component that stands on pages of its own and within others. */
export function Heading({ level, children }: Props) {
  const Tag = TAGS[level];
  return <Tag>{children}</Tag>;
}

interface Props {
  readonly level: Level;
  readonly children?: Child;
}

/** The level of what stands so many steps below a heading. */
export function below(level: Level, steps: 1 | 2): Level {
  return Math.min(6, level + steps) as Level;
}
