import type { KeyObservation } from './observation.ts';

/** A request to be sent, with the name and the part under which it is recorded. */
export interface KeyRequest extends Pick<
  KeyObservation,
  'name' | 'part' | 'request' | 'variation' | 'like' | 'mayRefuse'
> {
  readonly headers?: Readonly<Record<string, string>>;
}

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

/** A request that has nothing of a row's hazard. */
export function control(name: string, request: string): KeyRequest {
  return { name, part: 'control', request };
}

/** A probe of a row; `like` names a request that shows whether the host's key heeds what the probe is about. */
export function probe(name: string, request: string, like?: string): KeyRequest {
  return { name, part: 'probe', request, ...(like === undefined ? {} : { like }) };
}

/** A request that may be answered like the named one or otherwise. */
export function either(name: string, request: string, like?: string): KeyRequest {
  return { name, part: 'either', request, ...(like === undefined ? {} : { like }) };
}

/** The names by which judges find the plain requests. */
export const PLAIN = 'plain';
export const PLAIN_AGAIN = 'plain again';
export const OTHER_MODEL = 'another model';

/** Plain requests that no row's hazard touches; they show which rule a host follows to begin with. */
export const controls: readonly KeyRequest[] = [
  control(PLAIN, requestText()),
  control('conversation', conversation),
  control('every field', full),
];

/** Sent before variations: the plain request, and one with another model, whose key must differ. */
export const before: readonly KeyRequest[] = [
  control(PLAIN, requestText()),
  control(OTHER_MODEL, requestText({ model: '"gpt-4o"' })),
];

/** Sent after them: a host whose keys change by themselves is told apart from one that heeds the variation. */
export const after: readonly KeyRequest[] = [control(PLAIN_AGAIN, requestText())];

/** More messages, and more tools, than hosts look at that remember the last or the first ones alone. */
export const MANY = 130;

/** The messages of a conversation of this length, as JSON text. */
export function conversationOf(length: number): string {
  const said = Array.from({ length }, (_, index) => ({
    content: `message ${index + 1}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
  }));
  return JSON.stringify(said);
}
