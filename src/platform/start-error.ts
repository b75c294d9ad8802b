/** A start that cannot go on; the message is one clear line for the operator. */
export class StartError extends Error {}
