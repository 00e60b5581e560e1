// Read by Firebase's libraries while they are loaded: without these they look for Google's machines around this one, and complain.
process.env.GCLOUD_PROJECT ??= 'demo-early-access';
process.env.METADATA_SERVER_DETECTION ??= 'none';
