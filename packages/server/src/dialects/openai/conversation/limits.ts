/** What a client can make a conversation keep. */
export const CONVERSATION_LIMITS = {
  /** Items that are kept; the oldest are dropped. */
  items: 200,
  /** Characters of all items together. */
  characters: 200_000,
  /** Characters of one item, and of the instructions. */
  itemCharacters: 32_000,
  tools: 64,
  /** Characters of all tools as JSON. */
  toolCharacters: 64_000,
  metadataEntries: 16,
} as const;

/** The structure of a message: schemas of tools are nested deeply. */
export const MESSAGE_BOUNDS = { depth: 32, elements: 5000, values: 10_000, escapes: 200_000 };
