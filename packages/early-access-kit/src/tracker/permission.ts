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

/**
 * Recognizes headless browsers, and robots that run scripts. Servers ignore all robots in core's list, which would add
 * to every visitor's page.
 */
export function mayTrack(
  { ignoreGpc, allowBots }: PermissionOptions,
  { userAgent, webdriver, globalPrivacyControl }: NavigatorLike = navigator,
): boolean {
  return !(
    (globalPrivacyControl && !ignoreGpc) ||
    ((webdriver || /http|bot\/|compatible;|headless|preview|external|-google|lighthouse|ptst/i.test(userAgent)) &&
      !allowBots)
  );
}
