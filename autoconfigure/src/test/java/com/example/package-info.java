/** Stands for a user's code. */
package com.example;
