// Firebase's libraries read these when they are loaded. Without them they look for Google's metadata server and log warnings.
process.env.GCLOUD_PROJECT ??= 'demo-early-access';
process.env.METADATA_SERVER_DETECTION ??= 'none';
