/** Messages about the second factor. They are in a separate file because views import them too. */
export const CODE_NEEDED = 'Enter the code from your authenticator app'
export const CODE_WRONG = 'The code is wrong or has expired. Enter the current code.'
