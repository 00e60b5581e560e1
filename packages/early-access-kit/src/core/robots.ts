/** The letter before "bot" excludes CUBOT, a phone manufacturer. */
const ROBOT = /[^u]bot|crawl|spider|preview|external|-google|google-/i;

/** Whether a user agent is a crawler's: of a search engine, or one that shows previews of links. */
export function isRobot(userAgent: string): boolean {
  return ROBOT.test(userAgent);
}
