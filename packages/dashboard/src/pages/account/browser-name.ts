const BROWSERS = [
  ["Edge", /\bEdg\w*\/(\d+)/],
  ["Opera", /\bOPR\/(\d+)/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d+)/],
  ["Chrome", /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ["Safari", /\bVersion\/(\d+).*Safari/],
] as const;
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS X", "Linux"];

/** Such as "Firefox 140 on Linux"; an unknown browser as it names itself. */
export function browserName(userAgent: string): string {
  const system = SYSTEMS.find((each) => userAgent.includes(each));
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}${system === undefined ? "" : ` on ${system}`}`;
  }
  return userAgent;
}
