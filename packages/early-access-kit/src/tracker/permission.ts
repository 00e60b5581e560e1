/** The crawlers of core's `isRobot`, and headless browsers. One expression: two would add to every visitor's page. */
const AUTOMATED = /[^u]bot|crawl|spider|headless|preview|external|-google|google-/i;

/** Besides consent, decides whether a session may be tracked. */
export interface PermissionOptions {
  /** Also tracks browsers that send Global Privacy Control. Default: false. */
  ignoreGpc?: boolean | undefined;
  /** Also tracks automated browsers and crawlers, for example in tests. Default: false. */
  allowBots?: boolean | undefined;
}

/** The part of `navigator` that is checked. */
interface NavigatorLike {
  readonly userAgent: string;
  readonly webdriver?: boolean;
  readonly globalPrivacyControl?: boolean;
}

export function mayTrack(
  { ignoreGpc, allowBots }: PermissionOptions,
  { userAgent, webdriver, globalPrivacyControl }: NavigatorLike = navigator,
): boolean {
  return (ignoreGpc || !globalPrivacyControl) && (allowBots || !(webdriver || AUTOMATED.test(userAgent)));
}
