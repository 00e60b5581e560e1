import { describe } from 'vitest';
import { adminContract } from './admin-contract.ts';
import { analyticsContract } from './analytics-contract.ts';
import { apiKeysContract } from './api-keys-contract.ts';
import { bulkContract } from './bulk-contract.ts';
import { campaignScheduleContract } from './campaign-schedule-contract.ts';
import { campaignsContract } from './campaigns-contract.ts';
import { correctionsContract } from './corrections-contract.ts';
import { createSetUp, type StoreContract } from './harness.ts';
import { humanContract } from './human-contract.ts';
import { importsContract } from './imports-contract.ts';
import { listContract } from './list-contract.ts';
import { listHistoriesContract } from './list-histories-contract.ts';
import { listStatusContract } from './list-status-contract.ts';
import { mailContract } from './mail-contract.ts';
import { mailboxContract } from './mailbox-contract.ts';
import { newLinkContract } from './new-link-contract.ts';
import { passkeysContract } from './passkeys-contract.ts';
import { peopleContract } from './people-contract.ts';
import { personContract } from './person-contract.ts';
import { roundTripContract } from './round-trip-contract.ts';
import { segmentsContract } from './segments-contract.ts';
import { seriesContract } from './series-contract.ts';
import { sessionContract } from './session-contract.ts';
import { shareContract } from './share-contract.ts';
import { statusContract } from './status-contract.ts';
import { teamContract } from './team-contract.ts';
import { webhooksContract } from './webhooks-contract.ts';

/**
 * Tests every guarantee of `Store` and `MailQueue`. Call it at the top level of a Vitest file.
 *
 * @example
 * runStoreContract({ name: 'my store', createDatabase: openEmptyDatabase });
 */
export function runStoreContract(contract: StoreContract): void {
  const { name, concurrent = false, histories = 6 } = contract;
  describe(`store contract: ${name}`, { concurrent }, () => {
    const setUp = createSetUp(contract);
    personContract(setUp);
    sessionContract(setUp);
    mailContract(setUp);
    mailboxContract(setUp);
    adminContract(setUp);
    teamContract(setUp);
    passkeysContract(setUp);
    apiKeysContract(setUp);
    peopleContract(setUp);
    analyticsContract(setUp);
    listContract(setUp);
    correctionsContract(setUp);
    listStatusContract(setUp);
    statusContract(setUp);
    newLinkContract(setUp);
    listHistoriesContract(setUp, Math.min(histories, 4));
    roundTripContract(setUp, Math.min(histories, 3));
    importsContract(setUp, Math.min(histories, 3));
    campaignsContract(setUp, histories);
    segmentsContract(setUp, histories);
    bulkContract(setUp);
    campaignScheduleContract(setUp);
    seriesContract(setUp);
    webhooksContract(setUp);
    humanContract(setUp);
    shareContract(setUp, Math.min(histories, 4));
  });
}
