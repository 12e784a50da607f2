import type { Ask } from './ask.ts';

/** The members of a request as JSON texts, so that every spelling and order arrives as it was meant. */
export type RequestParts = Readonly<Record<string, string>>;

const plainParts: RequestParts = {
  provider: '"openai"',
  model: '"gpt-4"',
  messages: '[{"role":"user","content":"hello"}]',
};

/** A plain request's text with members replaced or added; every value is JSON text. */
export function requestText(parts: RequestParts = {}): string {
  const members = Object.entries({ ...plainParts, ...parts });
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** A request whose only user message has this content, given as JSON text. */
export function withContent(content: string): string {
  return requestText({ messages: `[{"role":"user","content":${content}}]` });
}

/** A request with one tool, whose parameters are given as JSON text. */
export function withParameters(parameters: string): string {
  return requestText({ tools: `[{"name":"lookup","parameters":${parameters}}]` });
}

/** A request that expects JSON of this schema, given as JSON text. */
export function withSchema(schema: string): string {
  return requestText({ responseFormat: `{"type":"json","schema":${schema}}` });
}

const conversation = requestText({
  messages:
    '[{"role":"system","content":"be brief"},{"role":"user","content":"hello"},{"role":"assistant","content":"hi"},{"role":"user","content":"bye"}]',
});

const full = requestText({
  model: '"gpt-4o"',
  tools:
    '[{"name":"alpha","description":"first","parameters":{"properties":{"a":{"type":"string"}},"type":"object"}},{"name":"beta","parameters":{"type":"object"}}]',
  temperature: '0.5',
  topP: '0.9',
  topK: '40',
  responseFormat: '{"schema":{"type":"object"},"type":"json"}',
});

/** Plain requests that no row's hazard touches; they show which rule a host follows to begin with. */
export const controls: readonly Ask[] = [
  { name: 'plain', part: 'control', request: requestText() },
  { name: 'conversation', part: 'control', request: conversation },
  { name: 'every field', part: 'control', request: full },
];

/** A probe of a row; `like` names a request that shows whether the host's key heeds what the probe is about. */
export function probe(name: string, request: string, like?: string): Ask {
  return { name, part: 'probe', request, ...(like === undefined ? {} : { like }) };
}

/** A request that may be answered like the named one or otherwise. */
export function either(name: string, request: string, like: string): Ask {
  return { name, part: 'either', request, like };
}
