/** An error that stops the startup. Its message is a single line for the operator. */
export class StartError extends Error {}
