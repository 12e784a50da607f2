import { isObject, type JsonObject, member } from '../../json.ts';
import type { Defects } from '../mutant.ts';
import { OFFLINE, eachContent, eachOf, projecting, taken, withList, without } from '../shared/key-parts.ts';

/** What becomes of messages and their content. */
export const defects: Defects = {
  'key-last-message-only': {
    breaks: 'Only the last message enters the key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields', 'cache-key.preserves-message-order'],
    parts: projecting((projected) => withList(projected, 'messages', (messages) => messages.slice(-1))),
  },
  'key-roles-renamed': {
    breaks: 'The role assistant is hashed as model.',
    kills: [...OFFLINE],
    parts: projecting((projected) =>
      eachOf(projected, 'messages', (each) => (each['role'] === 'assistant' ? { ...each, role: 'model' } : each)),
    ),
  },
  'key-system-ignored': {
    breaks: 'System messages are left out of the key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) =>
      withList(projected, 'messages', (messages) => messages.filter((message) => member(message, 'role') !== 'system')),
    ),
  },
  'key-model-case-folded': {
    breaks: "The model's id is hashed in lower case.",
    kills: [...OFFLINE, 'cache-key.model-verbatim'],
    parts: projecting((projected) => ({ ...projected, model: String(member(projected, 'model')).toLowerCase() })),
  },
  'key-content-coalesced': {
    breaks: 'Text blocks are joined to one string before they are hashed.',
    kills: [...OFFLINE, 'cache-key.preserves-content-shape'],
    parts: projecting((projected) => eachContent(projected, coalesced)),
  },
  'key-content-trimmed': {
    breaks: 'White space at the ends of a message is not hashed.',
    kills: [...OFFLINE, 'cache-key.preserves-content-shape'],
    parts: projecting((projected) => eachContent(projected, trimmed)),
  },
  'message-name-omitted': {
    breaks: 'The name of a message is left out of the key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => eachOf(projected, 'messages', (message) => without(message, 'name'))),
  },
  'tool-call-id-omitted': {
    breaks: 'toolCallId of a message is left out of the key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => eachOf(projected, 'messages', (message) => without(message, 'toolCallId'))),
  },
  'role-omitted': {
    breaks: 'The role of a message is left out of the key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => eachOf(projected, 'messages', (message) => without(message, 'role'))),
  },
  'model-omitted': {
    breaks: 'The model is left out of the key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => without(projected, 'model')),
  },
  'single-block-unwrapped': {
    breaks: 'A single text block is hashed like the string of the same text.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-content-shape'],
    parts: projecting((projected) => eachContent(projected, unwrapped)),
  },
  'model-alias-pinned': {
    breaks: 'One alias of a model is hashed as the version that it stands for.',
    kills: [...OFFLINE],
    parts: projecting((projected) =>
      member(projected, 'model') === 'gpt-4o' ? { ...projected, model: 'gpt-4o-2024-08-06' } : projected,
    ),
  },
  'model-trimmed': {
    breaks: "The model's id loses white space at its ends.",
    kills: ['cache-key.model-verbatim'],
    parts: projecting((projected) => ({ ...projected, model: String(member(projected, 'model')).trim() })),
  },
  'model-tag-dropped': {
    breaks: "What stands behind a colon or an at sign in the model's id is left out of the key.",
    kills: ['cache-key.model-verbatim'],
    parts: projecting((projected) => ({
      ...projected,
      model: String(member(projected, 'model')).replace(/[:@].*$/, ''),
    })),
  },
  'conversation-cut': {
    breaks: 'The last 100 messages alone are in the key.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: projecting((projected) => withList(projected, 'messages', (messages) => messages.slice(-100))),
  },
  'conversation-ends-early': {
    breaks: 'The first ten messages alone are in the key.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: projecting((projected) => withList(projected, 'messages', (messages) => messages.slice(0, 10))),
  },
  'long-blocks-cut': {
    breaks: 'The texts of content blocks are hashed up to their 1,024th character.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) => eachBlock(projected, (block) => inText(block, (text) => text.slice(0, 1024)))),
  },
  'long-content-cut': {
    breaks: 'Of a text in a message its first 65536 characters alone are hashed.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachContent(projected, (content) => (typeof content === 'string' ? content.slice(0, 65_536) : content)),
    ),
  },
  'line-ends-of-blocks-folded': {
    breaks: 'Line ends in content blocks are hashed as single line feeds.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachBlock(projected, (block) => inText(block, (text) => text.replaceAll('\r\n', '\n'))),
    ),
  },
  'block-ids-omitted': {
    breaks: 'The ids of the calls that content blocks answer are left out of the key.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachContent(projected, (content) =>
        Array.isArray(content) ? content.map((block) => without(Object(block), 'tool_use_id')) : content,
      ),
    ),
  },
  'block-nulls-dropped': {
    breaks: 'Members of content blocks that are null are left out of the key.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachContent(projected, (content) =>
        Array.isArray(content)
          ? content.map((block) =>
              Object.fromEntries(Object.entries(Object(block)).filter(([, value]) => value !== null)),
            )
          : content,
      ),
    ),
  },
  'text-blocks-bare': {
    breaks: 'Of text blocks only type and text are hashed.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachBlock(projected, (block) =>
        member(block, 'type') === 'text' ? { type: 'text', text: member(block, 'text') } : block,
      ),
    ),
  },
  'cache-marks-omitted': {
    breaks: 'What a content block tells a provider about caching is left out of the key.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) => eachBlock(projected, (block) => without(block, 'cache_control'))),
  },
  'addresses-unsigned': {
    breaks: 'The addresses of pictures are hashed without what stands behind the path.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachBlock(projected, (block) => {
        const { url } = block;
        return typeof url === 'string' ? { ...block, url: url.replace(/[?#].*$/, '') } : block;
      }),
    ),
  },
  'picture-detail-by-default': {
    breaks: 'A picture in the detail that is the default is hashed like one without.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachBlock(projected, (block) => {
        const picture = block['image_url'];
        if (!isObject(picture) || picture['detail'] !== 'auto') return block;
        return { ...block, image_url: without(picture, 'detail') };
      }),
    ),
  },
  'thoughts-omitted': {
    breaks: 'Content blocks that hold what a model thought are left out of the key.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachContent(projected, (content) =>
        Array.isArray(content) ? content.filter((block) => member(block, 'type') !== 'thinking') : content,
      ),
    ),
  },
  'pictures-cut': {
    breaks: 'Of a data URL in a content block its first 2000 characters alone are hashed.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachContent(projected, (content) =>
        Array.isArray(content)
          ? content.map((block) => {
              const url = member(block, 'url');
              return typeof url === 'string' ? { ...Object(block), url: url.slice(0, 2000) } : block;
            })
          : content,
      ),
    ),
  },
  'variant-selectors-dropped': {
    breaks: 'Texts of messages lose the selectors of variants.',
    kills: ['cache-key.jcs-strings'],
    parts: projecting((projected) =>
      eachContent(projected, (content) => (typeof content === 'string' ? content.replaceAll('\ufe0f', '') : content)),
    ),
  },
  'empty-messages-dropped': {
    breaks: 'Messages with empty content are left out of the key.',
    kills: [...OFFLINE, 'cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      withList(projected, 'messages', (messages) => messages.filter((message) => member(message, 'content') !== '')),
    ),
  },
  'empty-system-messages-dropped': {
    breaks: 'System messages with empty content are left out of the key.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      withList(projected, 'messages', (messages) =>
        messages.filter((message) => member(message, 'role') !== 'system' || member(message, 'content') !== ''),
      ),
    ),
  },
  'results-written-again': {
    breaks: 'The answer of a tool that is JSON is hashed as this host writes it.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachOf(projected, 'messages', (message) =>
        message['role'] === 'tool' ? { ...message, content: writtenAgain(message['content']) } : message,
      ),
    ),
  },
  'empty-lines-collapsed': {
    breaks: 'Several empty lines in the text of a message are hashed as one.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) => eachText(projected, /\n{3,}/g, '\n\n')),
  },
  'block-types-lower-cased': {
    breaks: 'The types of content blocks are hashed in lower case.',
    kills: ['cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachBlock(projected, (block) => ({ ...block, type: String(block['type']).toLowerCase() })),
    ),
  },
  'block-members-dropped': {
    breaks: 'Only type and text of a content block are hashed.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      eachContent(projected, (content) =>
        Array.isArray(content) ? content.map((block) => taken(block, ['type', 'text'])) : content,
      ),
    ),
  },
  'same-role-messages-merged': {
    breaks: 'Neighbouring messages of one role are joined to one.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-message-order'],
    parts: projecting((projected) => withList(projected, 'messages', merged)),
  },
  'contents-emptied': {
    breaks: 'Of a message its role alone is in the key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    alsoBreaks: { 'cache-key.rejects-non-json-values': 'content that has no form is not hashed either' },
    parts: projecting((projected) => eachOf(projected, 'messages', (message) => taken(message, ['role']))),
  },
  'anthropic-system-message-first': {
    breaks: 'System messages are moved to the front in requests to one provider.',
    kills: ['cache-key.reproducible-offline.generated'],
    parts: projecting((projected) =>
      member(projected, 'provider') === 'anthropic'
        ? withList(projected, 'messages', (messages) => messages.toSorted((a, b) => place(a) - place(b)))
        : projected,
    ),
  },
  'roles-of-google': {
    breaks: 'The role of an assistant is hashed under the name that one provider has for it.',
    kills: ['cache-key.reproducible-offline.generated'],
    parts: projecting((projected) =>
      member(projected, 'provider') === 'google'
        ? eachOf(projected, 'messages', (message) =>
            message['role'] === 'assistant' ? { ...message, role: 'model' } : message,
          )
        : projected,
    ),
  },
  'uuids-scrubbed': {
    breaks: 'UUIDs in the texts of messages are not hashed.',
    kills: ['cache-key.reproducible-offline.generated'],
    parts: projecting((projected) => eachText(projected, /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '')),
  },
  'dates-scrubbed': {
    breaks: 'Dates in the texts of messages are not hashed.',
    kills: ['cache-key.reproducible-offline.generated'],
    parts: projecting((projected) => eachText(projected, /\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, '')),
  },
  'inner-spaces-collapsed': {
    breaks: 'Several spaces in the text of a message are hashed as one.',
    kills: ['cache-key.reproducible-offline.generated'],
    parts: projecting((projected) => eachText(projected, /(?<=\S) {2,}(?=\S)/g, ' ')),
  },
  'ids-of-blocks-omitted': {
    breaks: 'The ids of content blocks are left out of the key.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-content-shape'],
    parts: projecting((projected) => eachBlock(projected, (block) => without(block, 'id'))),
  },
  'system-message-first': {
    breaks: 'System messages are moved to the front.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-message-order'],
    parts: projecting((projected) =>
      withList(projected, 'messages', (messages) => messages.toSorted((a, b) => place(a) - place(b))),
    ),
  },
};

function eachBlock(projected: JsonObject, change: (block: JsonObject) => JsonObject): JsonObject {
  return eachContent(projected, (content) =>
    Array.isArray(content) ? content.map((block: unknown) => (isObject(block) ? change(block) : block)) : content,
  );
}

function eachText(projected: JsonObject, pattern: RegExp, by: string): JsonObject {
  return eachContent(projected, (content) => (typeof content === 'string' ? content.replaceAll(pattern, by) : content));
}

/** A text that is JSON, parsed and written again. */
function writtenAgain(content: unknown): unknown {
  if (typeof content !== 'string') return content;
  try {
    return JSON.stringify(JSON.parse(content));
  } catch {
    return content;
  }
}

function coalesced(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const texts = content.map((block) => (member(block, 'type') === 'text' ? member(block, 'text') : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content;
}

/** A block with another text, where it has one. */
function inText(block: JsonObject, change: (text: string) => string): JsonObject {
  const { text } = block;
  return typeof text === 'string' ? { ...block, text: change(text) } : block;
}

function trimmed(content: unknown): unknown {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return content;
  return content.map((block: unknown) => (isObject(block) ? inText(block, (text) => text.trim()) : block));
}

function unwrapped(content: unknown): unknown {
  const only: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  return member(only, 'type') === 'text' ? member(only, 'text') : content;
}

function merged(messages: readonly unknown[]): readonly unknown[] {
  const joined: unknown[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last === undefined || member(last, 'role') !== member(message, 'role')) joined.push(message);
    else joined[joined.length - 1] = { role: member(last, 'role'), content: `${textOf(last)}\n${textOf(message)}` };
  }
  return joined;
}

function textOf(message: unknown): string {
  const content = member(message, 'content');
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function place(message: unknown): number {
  return member(message, 'role') === 'system' ? 0 : 1;
}
