/** Requests in one response of the list. */
export const MAX_TRACES_PER_PAGE = 100;
