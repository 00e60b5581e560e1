/** Asks the domain name system. */
export interface Dns {
  /**
   * The answers for a domain: the names of its mail servers for `MX`, where a server named `` receives no email, or
   * addresses. Empty if the domain has none of this type, and null if the domain does not exist. Rejects if this cannot
   * be found out.
   */
  resolve(domain: string, type: 'MX' | 'A' | 'AAAA'): Promise<readonly string[] | null>;
}
