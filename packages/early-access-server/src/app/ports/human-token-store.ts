/** The tokens of human checks that were used. Only hashes are stored, and they are removed after they have expired. */
export interface HumanTokenStore {
  /** The purpose for which the token was claimed; null if it was not. */
  findClaim(hash: string): Promise<string | null>;
  /**
   * Claims the token for `purpose`, a hash, and returns whether it is claimed for that now: also if it was before. If
   * several purposes race, exactly one gets it, in any number of processes. The claim can be forgotten after
   * `expiresAt`.
   */
  claim(hash: string, purpose: string, expiresAt: number): Promise<boolean>;
}
