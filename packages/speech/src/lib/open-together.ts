/** Names how to close what was opened, in case that something after it fails. */
export type OnFailure = (close: () => Promise<void>) => void;

/** Opens several resources that are used together. When one of them fails, those before it are closed. */
export async function openTogether<Result>(open: (onFailure: OnFailure) => Promise<Result>): Promise<Result> {
  const closes: (() => Promise<void>)[] = [];
  try {
    return await open((close) => {
      closes.push(close);
    });
  } catch (error) {
    await Promise.all(closes.map((close) => close()));
    throw error;
  }
}
